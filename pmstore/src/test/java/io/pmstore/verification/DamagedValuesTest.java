package io.pmstore.verification;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.pmstore.ClassRefusedException;
import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.StoreDamagedException;
import io.pmstore.verification.VerifyTest.Side;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SimpleTimeZone;
import java.util.SplittableRandom;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever an object's bytes say, who reads it gets a value or a {@link StoreDamagedException} that
 * names the object and the property.
 */
class DamagedValuesTest {
  private static final int ROUNDS = 60;
  private static final int FLIPS = 40;
  private static final long MARK = 0x5EED_0FA1_1BAD_F00DL;
  private static final int BYTES = 700; // of an exhibit, its texts and those beside it

  @TempDir Path directory;

  /** A point, in the heap as a value. */
  public record Point(long x, String name, BigDecimal weight) {}

  /** The root. */
  @Persistent(root = "museum")
  public static class Museum {
    private List<Exhibit> exhibits = new ArrayList<>();

    public List<Exhibit> getExhibits() {
      return exhibits;
    }

    public void setExhibits(List<Exhibit> exhibits) {
      this.exhibits = exhibits;
    }
  }

  /** Slots of every kind. */
  @Persistent
  public static class Exhibit {
    private long mark;
    private boolean live;
    private String name;
    private BigDecimal price;
    private BigInteger number;
    private UUID id;
    private Instant made;
    private LocalDate day;
    private ZonedDateTime bought;
    private Side side;
    private Exhibit next;
    private Point point;
    private int[] numbers;
    private String[] names;
    private Calendar due;
    private Object anything;

    public long getMark() {
      return mark;
    }

    public void setMark(long mark) {
      this.mark = mark;
    }

    public boolean isLive() {
      return live;
    }

    public void setLive(boolean live) {
      this.live = live;
    }

    public String getName() {
      return name;
    }

    public void setName(String name) {
      this.name = name;
    }

    public BigDecimal getPrice() {
      return price;
    }

    public void setPrice(BigDecimal price) {
      this.price = price;
    }

    public BigInteger getNumber() {
      return number;
    }

    public void setNumber(BigInteger number) {
      this.number = number;
    }

    public UUID getId() {
      return id;
    }

    public void setId(UUID id) {
      this.id = id;
    }

    public Instant getMade() {
      return made;
    }

    public void setMade(Instant made) {
      this.made = made;
    }

    public LocalDate getDay() {
      return day;
    }

    public void setDay(LocalDate day) {
      this.day = day;
    }

    public ZonedDateTime getBought() {
      return bought;
    }

    public void setBought(ZonedDateTime bought) {
      this.bought = bought;
    }

    public Side getSide() {
      return side;
    }

    public void setSide(Side side) {
      this.side = side;
    }

    public Exhibit getNext() {
      return next;
    }

    public void setNext(Exhibit next) {
      this.next = next;
    }

    public Point getPoint() {
      return point;
    }

    public void setPoint(Point point) {
      this.point = point;
    }

    public int[] getNumbers() {
      return numbers;
    }

    public void setNumbers(int[] numbers) {
      this.numbers = numbers;
    }

    public String[] getNames() {
      return names;
    }

    public void setNames(String[] names) {
      this.names = names;
    }

    public Calendar getDue() {
      return due;
    }

    public void setDue(Calendar due) {
      this.due = due;
    }

    public Object getAnything() {
      return anything;
    }

    public void setAnything(Object anything) {
      this.anything = anything;
    }
  }

  private static Exhibit exhibit(int number) {
    Exhibit exhibit = new Exhibit();
    exhibit.setMark(MARK);
    exhibit.setName("a name that does not fit in line, of " + number);
    exhibit.setPrice(new BigDecimal(BigInteger.TWO.pow(90), 3));
    exhibit.setNumber(BigInteger.TWO.pow(80));
    exhibit.setId(new UUID(number, 2));
    exhibit.setMade(Instant.ofEpochSecond(number, 5));
    exhibit.setDay(LocalDate.of(2026, 1, 1));
    exhibit.setBought(ZonedDateTime.parse("2026-01-01T10:00:00+01:00[Europe/Berlin]"));
    exhibit.setSide(Side.SELL);
    exhibit.setPoint(new Point(number, "a point", BigDecimal.TEN));
    exhibit.setNumbers(new int[] {1, 2, 3});
    exhibit.setNames(new String[] {"one", null, "a third name, of more letters"});
    exhibit.setAnything(
        switch (number % 4) {
          case 0 -> 17L;
          case 1 -> "text";
          case 2 -> new Proxy(Proxy.Type.HTTP, InetSocketAddress.createUnresolved("host", number));
          default -> new SimpleTimeZone(number, "zone", 2, -1, 1, 0, 9, -1, 1, 0, 1);
        });
    TimeZone zone = new SimpleTimeZone(number, "zone"); // any id is one
    GregorianCalendar due = new GregorianCalendar(zone, Locale.ROOT);
    due.setTimeInMillis(number);
    exhibit.setDue(due);
    return exhibit;
  }

  private Path store() {
    return directory.resolve("store");
  }

  @BeforeEach
  void fill() {
    try (PmStore store = PmStore.open(store())) {
      Museum museum = store.root(Museum.class);
      store.transaction(
          () -> {
            for (int i = 0; i < 10; i++) {
              Exhibit made = store.create(Exhibit.class);
              museum.getExhibits().add(exhibit(i));
              museum.getExhibits().getLast().setNext(made);
            }
          });
    }
  }

  /** Where the exhibits are in the heap file. */
  private static List<Integer> marks(byte[] heap) {
    ByteBuffer words = ByteBuffer.wrap(heap).order(ByteOrder.LITTLE_ENDIAN);
    List<Integer> marks = new ArrayList<>();
    for (int at = 8192; at < heap.length; at += 8) {
      if (words.getLong(at) == MARK) {
        marks.add(at);
      }
    }
    return marks;
  }

  @Test
  @Timeout(120)
  void whatIsReadOfDamagedObjectsIsAValueOrSaysWhatIsDamaged() throws IOException {
    long seed = Long.getLong("pmstore.seed", ThreadLocalRandom.current().nextLong());
    System.out.println("DamagedValuesTest: -Dpmstore.seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    Path file = store().resolve("heap");
    byte[] sound = Files.readAllBytes(file);
    List<Integer> marks = marks(sound);
    assertTrue(marks.size() >= 10, marks::toString);
    int damaged = 0;
    for (int round = 0; round < ROUNDS; round++) {
      try (RandomAccessFile heap = new RandomAccessFile(file.toFile(), "rw")) {
        heap.write(sound);
        for (int i = 0; i < FLIPS; i++) {
          int at = marks.get(random.nextInt(marks.size())) - BYTES / 2 + random.nextInt(BYTES);
          heap.seek(at);
          heap.write(
              random.nextInt(3) == 0 ? random.nextInt(256) : sound[at] ^ 1 << random.nextInt(8));
        }
      }
      damaged += read(seed, round);
    }
    assertTrue(damaged > ROUNDS, "only " + damaged + " damaged values were met");
  }

  private int read(long seed, int round) {
    int damaged = 0;
    try (PmStore store = PmStore.open(store(), PmStoreOptions.defaults().readOnly(true))) {
      List<Exhibit> exhibits = store.root(Museum.class).getExhibits();
      for (int i = 0; i < 10; i++) {
        int index = i;
        Optional<Object> exhibit = read(() -> exhibits.get(index), false, seed, round);
        // The list does not know of what class its elements are.
        if (!(exhibit.orElse("damaged") instanceof Exhibit each)) {
          damaged++;
          continue;
        }
        for (Getter getter : getters(each)) {
          damaged += read(getter, true, seed, round).isEmpty() ? 1 : 0;
          damaged +=
              read(() -> store.transaction(getter::get), true, seed, round).isEmpty() ? 1 : 0;
        }
      }
    } catch (StoreDamagedException e) {
      damaged++; // the root's list, say
    }
    return damaged;
  }

  private interface Getter {
    Object get();
  }

  private static List<Getter> getters(Exhibit each) {
    return List.of(
        each::getMark,
        each::isLive,
        each::getName,
        each::getPrice,
        each::getNumber,
        each::getId,
        each::getMade,
        each::getDay,
        each::getBought,
        each::getSide,
        each::getNext,
        each::getPoint,
        each::getNumbers,
        each::getNames,
        each::getDue,
        each::getAnything);
  }

  /** What was read, or nothing if that is damaged; a null counts as something. */
  private static Optional<Object> read(Getter getter, boolean property, long seed, int round) {
    try {
      Object value = getter.get();
      return Optional.of(value == null ? "null" : value);
    } catch (StoreDamagedException e) {
      if (property) {
        assertTrue(
            e.getMessage().startsWith("property ") && e.getMessage().contains("at heap address "),
            e.getMessage());
      }
      return Optional.empty();
    } catch (ClassRefusedException e) {
      // A name may have become that of another class, and a reference may lead to a record: nothing
      // tells that from a class that is gone, or has become a record.
      return Optional.empty();
    } catch (PmStoreException e) {
      // Another JVM may know the time zone, say, that a damaged name is.
      assertTrue(e.getMessage().contains("which this JVM does not know"), e.getMessage());
      return Optional.empty();
    } catch (RuntimeException | Error e) {
      return fail("seed " + seed + ", round " + round, e);
    }
  }
}
