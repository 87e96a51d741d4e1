package io.pmstore.proxy.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.proxy.fixture.StoreTest;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A method of a persistent class changes an array by code that is not its own, or one that it
 * reaches through another value, and the change is stored. Methods that only read stay readers.
 */
class ChangesByOtherCodeTest extends StoreTest {
  private static BooleanSupplier inTransaction = () -> false;

  /** A record that changes its array, which others hold. */
  record Matrix(double[][] cells) {
    void set(int row, int column, double value) {
      cells[row][column] = value;
    }
  }

  /** What a record can be known as. */
  interface Weighted {
    double[] weights();

    void reset(double value);
  }

  /** A record behind an interface. */
  record Layer(double[] weights) implements Weighted {
    @Override
    public void reset(double value) {
      weights[0] = value;
    }
  }

  /** Records that refer to each other. */
  record Employee(String name, @Nullable Department department) {}

  /** The other one. */
  record Department(String name, @Nullable Employee head) {}

  /** Such records, and an array. */
  record Project(Task first, @Nullable Department department) {}

  /** The other one, with the array. */
  record Task(@Nullable Project project, int[] hours) {}

  /** An interface with code, for a class that has the array. */
  interface Counted {
    int[] getCounts();

    default void countByDefault() {
      getCounts()[0]++;
    }
  }

  /** Of somebody else. */
  static final class Helper {
    private static int @Nullable [] kept;

    private Helper() {}

    static <T extends Comparable<? super T>> void sort(T[] values) {
      Arrays.sort(values);
    }

    static void negate(Number[] values) {
      for (int i = 0; i < values.length; i++) {
        values[i] = -values[i].intValue();
      }
    }

    static void clearAll(int[]... arrays) {
      clearEach(Arrays.asList(arrays));
    }

    static void clearEach(Iterable<int[]> arrays) {
      arrays.forEach(array -> Arrays.fill(array, 0));
    }

    static void clearSupplied(Supplier<int[]> array) {
      Arrays.fill(array.get(), 0);
    }

    static void clearMatrix(Matrix matrix) {
      matrix.cells()[0][0] = -1;
    }

    static Consumer<int[]> clearing() {
      return array -> Arrays.fill(array, 0);
    }

    static void clearKept() {
      Arrays.fill(Objects.requireNonNull(kept), 0);
    }
  }

  /** Values that can change in place, and methods that change them by other code. */
  @Persistent(root = "desk")
  static class Desk implements Counted {
    private static final UnaryOperator<int[]> DOUBLE =
        array -> {
          array[0] *= 2;
          return array;
        };

    private String[] names = {"c", "b", "a"};
    private Integer[] boxed = {1, 2};
    private int[] counts = {3, 1, 2};
    private int[][] grid = {{2, 1}, {4, 3}};
    private char[] text = {'-', '-', '-'};
    private byte[] bytes = new byte[4];
    private Matrix matrix = new Matrix(new double[1][1]);
    private Layer[] layers = {new Layer(new double[] {1})};
    private Weighted weighted = new Layer(new double[] {1});
    private Weighted[] all = {new Layer(new double[] {1})};
    private Object[] row = {"id", new byte[] {1}};
    private Record record = new Layer(new double[] {1});
    private Employee employee = new Employee("e", new Department("d", null));
    private Project project = new Project(new Task(null, new int[1]), null);
    private Set<String> words = new HashSet<>(Set.of("a"));

    @Override
    public int[] getCounts() {
      return counts;
    }

    void setWords(Set<String> words) {
      this.words = words;
    }

    Set<String> getWords() {
      return words;
    }

    void generic() {
      Helper.sort(names);
    }

    void covariant() {
      Helper.negate(boxed);
    }

    void varargs() {
      Helper.clearAll(counts);
    }

    void list() {
      Helper.clearEach(List.of(counts));
    }

    void map() {
      Helper.clearEach(Map.of("k", counts).values());
    }

    void supplier() {
      Helper.clearSupplied(() -> counts);
    }

    void streamed() {
      Helper.clearEach(Arrays.stream(grid).toList());
    }

    void characters() {
      "abc".getChars(0, 3, text, 0);
    }

    void charactersOfBuilder() {
      new StringBuilder("abc").getChars(0, 3, text, 0);
    }

    @SuppressWarnings("deprecation") // programs call it
    void bytesOfText() {
      "abc".getBytes(0, 3, bytes, 0);
    }

    void encode() {
      Base64.getEncoder().encode(new byte[] {1, 2, 3}, bytes);
    }

    void decode() {
      Base64.getDecoder().decode(new byte[] {'A', 'Q', 'I', 'D'}, bytes);
    }

    void toArray() {
      List.of("x", "y", "z").toArray(names);
    }

    void byReference() {
      Arrays.stream(grid).forEach(Arrays::sort);
    }

    void optional() {
      Optional.ofNullable(counts).ifPresent(Arrays::sort);
    }

    void constantFunction() {
      assertSame(counts, DOUBLE.apply(counts));
    }

    void givenFunction(Consumer<int[]> consumer) {
      consumer.accept(counts);
    }

    void givenFunctionOfStream(Consumer<int[]> consumer) {
      Arrays.stream(grid).forEach(consumer);
    }

    void functionOfHelper() {
      Stream.of(counts).forEach(Helper.clearing());
    }

    void fieldOfHelper() {
      Helper.kept = counts;
      Helper.clearKept();
    }

    void ofRecord() {
      matrix.set(0, 0, 7);
    }

    void recordToHelper() {
      Helper.clearMatrix(matrix);
    }

    void arrayOfRecords() {
      layers[0].weights()[0] += 1;
    }

    void ofInterface() {
      weighted.reset(5);
    }

    void arrayOfInterfaces() {
      all[0].weights()[0] += 1;
    }

    void arrayInArray() {
      ((byte[]) row[1])[0] = 42;
    }

    void declaredAsRecord() {
      ((Layer) record).weights()[0] = 9;
    }

    void recordsOfEachOther() {
      project.first().hours()[0] = 8;
    }

    void compare() {
      counts[0] = 99;
    }

    void equals() {
      counts[0] = 98;
    }

    int compareTo(int[] other, int more) {
      counts[0] = other[0];
      return more;
    }

    void callsNamedAsReader() {
      compare();
    }

    void callsDefault() {
      countByDefault();
    }

    void callsFinal() {
      countFinally();
    }

    final void countFinally() {
      getCounts()[0]++;
    }

    void ofAnother(Counted other) {
      other.getCounts()[1] = 77;
    }

    boolean readsArrays() {
      String all = Arrays.toString(counts) + Arrays.deepToString(grid) + String.valueOf(text);
      long sum = Arrays.stream(counts).sum() + Stream.of(names).mapToInt(String::length).sum();
      return all.length() + sum > 0
          && Arrays.equals(counts, counts.clone())
          && Arrays.stream(grid).map(Arrays::hashCode).collect(Collectors.toSet()).size() > 0
          && Base64.getEncoder().encodeToString(bytes).length() > Arrays.copyOf(counts, 2).length
          && inTransaction.getAsBoolean();
    }

    boolean readsValues() {
      double sum = matrix.cells()[0][0] + total(counts);
      for (Layer layer : layers) {
        sum += layer.weights()[0];
      }
      return sum > -99 && employee.name().equals("e") && inTransaction.getAsBoolean();
    }

    boolean readsWithCollections(String word) {
      int found = 0;
      for (String name : names) {
        found += words.contains(name) || name.equals(word) ? 1 : 0;
      }
      return found > 0 && !Objects.equals(word, words) && inTransaction.getAsBoolean();
    }

    private static int total(int[] values) {
      int total = 0;
      for (int value : values) {
        total += value;
      }
      return total;
    }

    @Override
    public String toString() {
      return Arrays.toString(names)
          + Arrays.toString(boxed)
          + Arrays.toString(counts)
          + Arrays.deepToString(grid)
          + new String(text)
          + Arrays.toString(bytes)
          + matrix.cells()[0][0]
          + layers[0].weights()[0]
          + weighted.weights()[0]
          + all[0].weights()[0]
          + ((byte[]) row[1])[0]
          + ((Layer) record).weights()[0]
          + employee.name()
          + project.first().hours()[0];
    }
  }

  /** A method that changes something. */
  private enum Change {
    GENERIC(Desk::generic),
    COVARIANT(Desk::covariant),
    VARARGS(Desk::varargs),
    LIST(Desk::list),
    MAP(Desk::map),
    SUPPLIER(Desk::supplier),
    STREAMED(Desk::streamed),
    CHARACTERS(Desk::characters),
    CHARACTERS_OF_BUILDER(Desk::charactersOfBuilder),
    BYTES_OF_TEXT(Desk::bytesOfText),
    ENCODE(Desk::encode),
    DECODE(Desk::decode),
    TO_ARRAY(Desk::toArray),
    BY_REFERENCE(Desk::byReference),
    OPTIONAL(Desk::optional),
    CONSTANT_FUNCTION(Desk::constantFunction),
    GIVEN_FUNCTION(desk -> desk.givenFunction(array -> array[0] = 5)),
    GIVEN_FUNCTION_OF_STREAM(desk -> desk.givenFunctionOfStream(array -> array[0] = 5)),
    FUNCTION_OF_HELPER(Desk::functionOfHelper),
    FIELD_OF_HELPER(Desk::fieldOfHelper),
    OF_RECORD(Desk::ofRecord),
    RECORD_TO_HELPER(Desk::recordToHelper),
    ARRAY_OF_RECORDS(Desk::arrayOfRecords),
    OF_INTERFACE(Desk::ofInterface),
    ARRAY_OF_INTERFACES(Desk::arrayOfInterfaces),
    ARRAY_IN_ARRAY(Desk::arrayInArray),
    DECLARED_AS_RECORD(Desk::declaredAsRecord),
    RECORDS_OF_EACH_OTHER(Desk::recordsOfEachOther),
    COMPARE(Desk::compare),
    EQUALS(Desk::equals),
    COMPARE_TO(desk -> desk.compareTo(new int[] {55}, 1)),
    CALLS_NAMED_AS_READER(Desk::callsNamedAsReader),
    BY_DEFAULT(Desk::countByDefault),
    CALLS_DEFAULT(Desk::callsDefault),
    CALLS_FINAL(Desk::callsFinal),
    OF_ANOTHER(desk -> desk.ofAnother(desk));

    private final Consumer<Desk> method;

    Change(Consumer<Desk> method) {
      this.method = method;
    }
  }

  @ParameterizedTest
  @EnumSource
  void theChangeIsStored(Change change) {
    Desk plain = new Desk();
    String before = plain.toString();
    change.method.accept(plain);
    assertNotEquals(before, plain.toString());
    change.method.accept(store().root(Desk.class));
    assertEquals(plain.toString(), store().root(Desk.class).toString());
    change.method.accept(plain);
    store().transaction(() -> change.method.accept(store().root(Desk.class)));
    reopen();
    assertEquals(plain.toString(), store().root(Desk.class).toString());
  }

  @Test
  void methodsThatOnlyReadAreNoTransactions() {
    inTransaction = () -> store().heap.inTransaction();
    Desk desk = store().root(Desk.class);
    assertFalse(desk.readsArrays());
    assertFalse(desk.readsValues());
    assertFalse(desk.readsWithCollections("a"));
    assertEquals(new Desk().toString(), desk.toString());
  }

  @Test
  void aFinalMethodThatChangesAnArrayIsReported() {
    List<String> warnings = PmStore.check(Desk.class).warnings();
    assertEquals(1, warnings.size(), warnings::toString);
    assertTrue(warnings.getFirst().contains("countFinally"), warnings::toString);
    assertTrue(warnings.getFirst().contains("remove final"), warnings::toString);
    store().root(Desk.class).countFinally(); // changes a copy
    assertEquals(3, store().root(Desk.class).getCounts()[0]);
  }
}
