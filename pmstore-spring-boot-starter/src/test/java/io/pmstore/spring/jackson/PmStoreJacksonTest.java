package io.pmstore.spring.jackson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.spi.PersistentObject;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** Persistent objects have the JSON of plain ones. */
class PmStoreJacksonTest {
  @TempDir Path temp;
  private PmStore store;
  private JsonMapper mapper;
  private final JsonMapper ordinary = JsonMapper.builder().build();

  @BeforeEach
  void open() {
    store = PmStore.open(temp.resolve("store"));
    mapper = PmStoreJackson.configure(JsonMapper.builder(), store).build();
  }

  @AfterEach
  void close() {
    store.close();
  }

  enum Kind {
    DOG,
    CAT
  }

  record Chip(String number, LocalDate since) {}

  /** Has properties of all sorts, with and without getters. */
  @Persistent
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  public static class Pet {
    private String name = "";
    private Kind kind = Kind.DOG;
    private boolean neutered;
    private @JsonProperty("kg") BigDecimal weight = BigDecimal.ONE; // no getter
    private @JsonProperty @JsonInclude(JsonInclude.Include.ALWAYS) String note; // none, null
    private @JsonProperty List<String> nicknames = new ArrayList<>(); // none, empty
    private @JsonProperty Pet friend;
    private Chip chip = new Chip("", LocalDate.EPOCH);
    private Optional<String> vet = Optional.empty();
    private final List<String> shots = new ArrayList<>();
    private ArrayList<Integer> scores = new ArrayList<>();
    private SortedMap<LocalDate, String> diary = new TreeMap<>();
    private Map<Kind, Integer> enemies = new EnumMap<>(Kind.class);
    private Set<String> tags = new TreeSet<>();
    private Deque<String> last = new ArrayDeque<>();
    private int[] sizes = {};
    @JsonIgnore private String secret = "s";
    public int open = 1;

    public Pet() {}

    static Pet rex() {
      Pet pet = new Pet();
      pet.name = "Rex";
      pet.neutered = true;
      pet.weight = new BigDecimal("12.50");
      pet.chip = new Chip("985", LocalDate.of(2026, 1, 2));
      pet.vet = Optional.of("Ana");
      pet.shots.addAll(List.of("rabies", "flu"));
      pet.scores.addAll(List.of(3, 1, 2));
      pet.diary.put(LocalDate.of(2026, 2, 1), "bit Ana");
      pet.diary.put(LocalDate.of(2026, 1, 1), "came");
      pet.enemies.put(Kind.CAT, 9);
      pet.tags.addAll(List.of("b", "a"));
      pet.last.addAll(List.of("x", "y"));
      pet.sizes = new int[] {1, 2};
      pet.open = 5;
      Pet tom = new Pet();
      tom.name = "Tom";
      tom.kind = Kind.CAT;
      pet.friend = tom;
      return pet;
    }

    public String getName() {
      return name;
    }

    public void setName(String name) {
      this.name = name;
    }

    public Kind getKind() {
      return kind;
    }

    public boolean isNeutered() {
      return neutered;
    }

    public Chip getChip() {
      return chip;
    }

    public Optional<String> getVet() {
      return vet;
    }

    public List<String> getShots() {
      return shots;
    }

    public ArrayList<Integer> getScores() {
      return scores;
    }

    public SortedMap<LocalDate, String> getDiary() {
      return diary;
    }

    public Map<Kind, Integer> getEnemies() {
      return enemies;
    }

    public Set<String> getTags() {
      return tags;
    }

    public Deque<String> getLast() {
      return last;
    }

    public int[] getSizes() {
      return sizes;
    }

    public String getSecret() {
      return secret;
    }

    @JsonIgnore
    public BigDecimal weight() {
      return weight;
    }

    @JsonIgnore
    public List<String> nicknames() {
      return nicknames;
    }

    public int describe() {
      return open;
    }
  }

  @Test
  void persistentObjectHasTheJsonOfAPlainOne() {
    Pet plain = Pet.rex();
    Pet persistent = store.persist(plain);
    assertThat(PersistentObject.isPersistent(persistent)).isTrue();
    String json = mapper.writeValueAsString(persistent);
    assertThat(json).isEqualTo(ordinary.writeValueAsString(Pet.rex()));
    assertThat(json)
        .contains("\"kg\":12.50", "\"note\":null", "\"friend\":{")
        .doesNotContain("nick");
    assertThat(mapper.writeValueAsString(plain)).isEqualTo(json);
  }

  @Test
  void fieldsAloneWorkToo() {
    JsonMapper fields =
        PmStoreJackson.configure(
                JsonMapper.builder()
                    .changeDefaultVisibility(
                        v ->
                            v.withFieldVisibility(JsonAutoDetect.Visibility.ANY)
                                .withGetterVisibility(JsonAutoDetect.Visibility.NONE)
                                .withIsGetterVisibility(JsonAutoDetect.Visibility.NONE)))
            .build();
    Pet plain = Pet.rex();
    assertThat(fields.writeValueAsString(store.persist(plain)))
        .isEqualTo(fields.writeValueAsString(plain))
        .contains("\"name\":\"Rex\"");
  }

  @Test
  void jsonBecomesAPlainObjectThatCanBeStored() {
    Pet read = mapper.readValue(mapper.writeValueAsString(store.persist(Pet.rex())), Pet.class);
    assertThat(read).isExactlyInstanceOf(Pet.class);
    assertThat(read.weight()).isEqualByComparingTo("12.5");
    assertThat(store.persist(read).getScores()).containsExactly(3, 1, 2);
  }

  @Test
  void jsonUpdatesAPersistentObject() {
    Pet persistent = store.persist(Pet.rex());
    Pet updated =
        store.transaction(
            () ->
                mapper
                    .readerForUpdating(persistent)
                    .readValue(
                        "{\"name\":\"Max\",\"kg\":13,\"nicknames\":[\"m\"],\"open\":8,\"kind\":\"CAT\"}"));
    assertThat(updated).isSameAs(persistent);
    assertThat(persistent.getName()).isEqualTo("Max");
    assertThat(persistent.weight()).isEqualByComparingTo("13");
    assertThat(persistent.nicknames()).containsExactly("m");
    assertThat(persistent.getKind()).isEqualTo(Kind.CAT);
    assertThat(persistent.describe()).isEqualTo(8);
  }

  /** The base of a hierarchy. */
  @Persistent
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
  @JsonSubTypes(@JsonSubTypes.Type(value = Dog.class, name = "dog"))
  public abstract static class Animal {
    @JsonProperty private int serial = 3;
  }

  /** Has a field in each of two classes. */
  @Persistent
  public static class Dog extends Animal {
    private @JsonProperty("own") int id = 4;
  }

  /** Names its class. */
  @Persistent
  @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
  public static class Named {
    public int value = 1;

    public int value() {
      return value;
    }
  }

  @Test
  void typeIdsAreThoseOfTheClass() {
    assertThat(mapper.writeValueAsString(store.persist(new Dog())))
        .isEqualTo(ordinary.writeValueAsString(new Dog()))
        .contains("\"dog\"", "\"own\":4", "\"serial\":3");
    assertThat(mapper.writeValueAsString(store.persist(new Named())))
        .isEqualTo(ordinary.writeValueAsString(new Named()));
    List<Object> list = store.newList();
    list.add(new Dog());
    assertThat(
            mapper
                .writerFor(
                    mapper.getTypeFactory().constructCollectionType(List.class, Animal.class))
                .writeValueAsString(list))
        .isEqualTo(
            ordinary
                .writerFor(
                    ordinary.getTypeFactory().constructCollectionType(List.class, Animal.class))
                .writeValueAsString(List.of(new Dog())));
  }

  /** An interface whose implementation is generated. */
  @Persistent
  public interface Owner {
    String getName();

    void setName(String name);
  }

  @Test
  void generatedImplementationOfAnInterface() {
    Owner owner = store.create(Owner.class);
    owner.setName("Ana");
    assertThat(mapper.writeValueAsString(owner)).isEqualTo("{\"name\":\"Ana\"}");
  }

  @Test
  void collectionsOfTheStore() {
    Map<String, Object> map = store.newMap();
    map.put("a", List.of(1, 2));
    map.put("b", new HashMap<>(Map.of("c", Set.of(5L))));
    assertThat(mapper.writeValueAsString(map))
        .isIn("{\"a\":[1,2],\"b\":{\"c\":[5]}}", "{\"b\":{\"c\":[5]},\"a\":[1,2]}");
    assertThat(mapper.writeValueAsString(map.keySet())).isIn("[\"a\",\"b\"]", "[\"b\",\"a\"]");
  }

  /** Has what Jackson reads from a field in a way that the store cannot serve. */
  @Persistent
  public static class Loose {
    @JsonAnyGetter private Map<String, String> more = new HashMap<>();

    public void more(String key, String value) {
      more.put(key, value);
    }
  }

  @Test
  void whatWouldBeWrongIsRefused() {
    Loose loose = store.persist(new Loose());
    loose.more("a", "b");
    assertThatThrownBy(() -> mapper.writeValueAsString(loose))
        .hasMessageContaining("@JsonAnyGetter")
        .hasMessageContaining("put it on the getter");
  }

  /** Calls back in the midst of being written. */
  @Persistent
  public static class Pair {
    private int first;
    private int second;
    static Runnable between = () -> {};

    public int getFirst() {
      int value = first;
      between.run();
      return value;
    }

    public int getSecond() {
      return second;
    }

    public void set(int value) {
      first = value;
      second = value;
    }
  }

  @Test
  void jsonShowsOneState() throws Exception {
    List<Pair> pairs = store.newList();
    pairs.add(new Pair());
    Pair pair = pairs.get(0);
    pair.set(1);
    Pair.between =
        () -> {
          Thread writer = Thread.ofVirtual().start(() -> store.transaction(() -> pair.set(2)));
          try {
            writer.join();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        };
    try {
      assertThat(mapper.writeValueAsString(List.of(pairs, "x")))
          .isEqualTo("[[{\"first\":1,\"second\":1}],\"x\"]");
    } finally {
      Pair.between = () -> {};
    }
    assertThat(mapper.writeValueAsString(pair)).isEqualTo("{\"first\":2,\"second\":2}");
    store.transaction(
        () -> {
          pair.set(3);
          assertThat(mapper.writeValueAsString(pair)).isEqualTo("{\"first\":3,\"second\":3}");
        });
  }

  @Test
  void aClosedStoreDoesNotKeepAnApplicationFromReportingIt() {
    Pet pet = store.persist(Pet.rex());
    store.close();
    assertThat(mapper.writeValueAsString(Map.of("status", "the store is closed")))
        .contains("the store is closed");
    assertThatThrownBy(() -> mapper.writeValueAsString(pet))
        .hasStackTraceContaining("StoreClosedException");
  }
}
