package io.pmstore.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The dashboard of the documents has the structure that Grafana imports. Whether Prometheus has the
 * metrics that it asks for is for {@link PmStoreMetricsTest}.
 */
class DashboardTest {
  /** The columns of Grafana's grid. */
  private static final int COLUMNS = 24;

  /** The first version of the schema whose panels name their data source as an object. */
  private static final int SCHEMA_VERSION_MIN = 33;

  private static final String DATA_SOURCE = "${datasource}";

  private JsonNode dashboard;

  @BeforeEach
  void read() throws Exception {
    dashboard =
        JsonMapper.shared()
            .readTree(Files.readString(Path.of("../docs/observability/grafana-dashboard.json")));
  }

  private List<JsonNode> panels() {
    List<JsonNode> panels = new ArrayList<>();
    dashboard.required("panels").forEach(panels::add);
    assertTrue(panels.size() > 10, () -> "panels: " + panels.size());
    return panels;
  }

  private List<JsonNode> variables() {
    List<JsonNode> variables = new ArrayList<>();
    dashboard.required("templating").required("list").forEach(variables::add);
    return variables;
  }

  @Test
  void itIsADashboardThatCanBeImported() {
    assertTrue(dashboard.required("schemaVersion").asInt() >= SCHEMA_VERSION_MIN);
    assertFalse(dashboard.required("title").asString().isBlank());
    assertTrue(dashboard.required("uid").asString().matches("[a-zA-Z0-9_-]{1,40}"));
    assertNull(dashboard.get("id"), "an id is of one Grafana");
    assertNull(dashboard.get("__inputs"), "the data source is a variable");
  }

  @Test
  void panelsHaveNumbersOfTheirOwnTypesAndTitles() {
    Set<Integer> ids = new HashSet<>();
    for (JsonNode panel : panels()) {
      assertTrue(ids.add(panel.required("id").asInt()), () -> "a second " + panel.get("id"));
      assertFalse(panel.required("title").asString().isBlank(), panel::toString);
      assertTrue(Set.of("row", "timeseries", "stat").contains(panel.required("type").asString()));
    }
  }

  @Test
  void panelsLieInTheGridAndDoNotOverlap() {
    Map<String, String> taken = new HashMap<>();
    for (JsonNode panel : panels()) {
      JsonNode at = panel.required("gridPos");
      int x = at.required("x").asInt();
      int y = at.required("y").asInt();
      int right = x + at.required("w").asInt();
      int below = y + at.required("h").asInt();
      String title = panel.required("title").asString();
      assertTrue(x >= 0 && y >= 0 && right <= COLUMNS && right > x && below > y, title);
      for (int column = x; column < right; column++) {
        for (int row = y; row < below; row++) {
          String other = taken.put(column + "," + row, title);
          assertNull(other, () -> title + " lies over " + other);
        }
      }
    }
  }

  @Test
  void theDataSourceIsAVariable() {
    JsonNode first = variables().getFirst();
    assertEquals("datasource", first.required("name").asString());
    assertEquals("datasource", first.required("type").asString());
    assertEquals("prometheus", first.required("query").asString());
    for (JsonNode variable : variables().subList(1, variables().size())) {
      assertEquals(DATA_SOURCE, variable.required("datasource").required("uid").asString());
    }
    for (JsonNode panel : panels()) {
      if (panel.required("type").asString().equals("row")) {
        continue;
      }
      assertEquals(DATA_SOURCE, panel.required("datasource").required("uid").asString());
      for (JsonNode target : panel.required("targets")) {
        assertEquals(DATA_SOURCE, target.required("datasource").required("uid").asString());
      }
    }
  }

  @Test
  void queriesAreOfTheStoresThatAreChosen() {
    Set<String> names = new HashSet<>();
    variables().forEach(variable -> names.add(variable.required("name").asString()));
    Pattern used = Pattern.compile("\\$([a-z]\\w*)");
    int queries = 0;
    for (JsonNode panel : panels()) {
      Set<String> references = new HashSet<>();
      for (JsonNode target : panel.path("targets")) {
        String query = target.required("expr").asString();
        assertTrue(references.add(target.required("refId").asString()), query);
        assertTrue(query.contains("store=~\"$store\""), query);
        assertEquals(
            query.chars().filter(c -> c == '(').count(),
            query.chars().filter(c -> c == ')').count(),
            query);
        used.matcher(query).results().forEach(m -> assertTrue(names.contains(m.group(1)), query));
        queries++;
      }
    }
    assertTrue(queries > 15, "queries: " + queries);
  }

  /**
   * Prometheus refuses to match series by their store if several instances have one of the name.
   */
  @Test
  void queriesWorkForSeveralInstances() {
    for (JsonNode panel : panels()) {
      for (JsonNode target : panel.path("targets")) {
        String query = target.required("expr").asString();
        assertFalse(query.contains("on("), query);
        if (query.contains("sum by (store")) {
          for (String side : query.split(" / ", -1)) {
            assertTrue(side.contains("sum by ("), query);
          }
        }
      }
    }
  }
}
