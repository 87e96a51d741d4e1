package io.pmstore.model.page;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** What was measured, as a JSON file: the figures behind a page. */
public final class RowsFile {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private RowsFile() {}

  public static void write(List<? extends Record> rows, Path file) throws IOException {
    Files.write(file, JSON.writeValueAsBytes(rows));
  }

  public static <T extends Record> List<T> read(Path file, Class<T> type) throws IOException {
    return JSON.readValue(
        Files.readAllBytes(file), JSON.getTypeFactory().constructCollectionType(List.class, type));
  }
}
