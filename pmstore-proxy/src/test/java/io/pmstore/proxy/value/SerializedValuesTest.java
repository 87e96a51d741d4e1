package io.pmstore.proxy.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.ClassRefusedException;
import io.pmstore.NotPersistableException;
import io.pmstore.Persistent;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.ValueCodec;
import io.pmstore.proxy.fixture.StoreTest;
import java.io.Serial;
import java.nio.charset.StandardCharsets;
import java.text.DateFormat;
import java.text.SimpleDateFormat;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Values that the store keeps by Java serialization, such as dates with more than a date. */
class SerializedValuesTest extends StoreTest {
  static class Deadline extends Date {
    @Serial private static final long serialVersionUID = 1;
    final String reason;
    String extension = "";

    Deadline(long time, String reason) {
      super(time);
      this.reason = reason;
    }

    void extend(String how) {
      extension += how;
    }
  }

  static final class Extended extends Deadline {
    @Serial private static final long serialVersionUID = 1;
    final int[] days;

    @SuppressWarnings("serial") // so that a program can put in what is not
    @Nullable Object note;

    Extended(long time, String reason, int... days) {
      super(time, reason);
      this.days = days;
    }

    void setNote(Object note) {
      this.note = note;
    }
  }

  @Persistent(root = "contract")
  static class Contract {
    private @Nullable Deadline deadline;
    private @Nullable Date date;
    private @Nullable Object anything;
    private @Nullable DateFormat format;
    private final List<Deadline> all = new ArrayList<>();
    private final Map<Deadline, String> byDeadline = new HashMap<>();

    @Nullable Deadline getDeadline() {
      return deadline;
    }

    void setDeadline(@Nullable Deadline deadline) {
      this.deadline = deadline;
    }

    @Nullable Date getDate() {
      return date;
    }

    void setDate(@Nullable Date date) {
      this.date = date;
    }

    @Nullable Object getAnything() {
      return anything;
    }

    void setAnything(@Nullable Object anything) {
      this.anything = anything;
    }

    @Nullable DateFormat getFormat() {
      return format;
    }

    void setFormat(@Nullable DateFormat format) {
      this.format = format;
    }

    List<Deadline> getAll() {
      return all;
    }

    void postpone(long millis) {
      if (deadline != null) {
        deadline.setTime(deadline.getTime() + millis);
      }
    }

    void extend(String how) {
      if (deadline != null) {
        deadline.extend(how);
      }
    }

    /** Changes a value in place, which its {@code equals} does not see. */
    void note(String note) {
      Extended extended = (Extended) Objects.requireNonNull(date);
      extended.setNote(note);
    }

    Map<Deadline, String> getByDeadline() {
      return byDeadline;
    }
  }

  private static final ValueCodec<Deadline> DEADLINE =
      ValueCodec.ofSerializable("deadline", Deadline.class);

  private static final PmStoreOptions OPTIONS =
      PmStoreOptions.defaults()
          .valueType(Deadline.class, DEADLINE)
          .valueType(DateFormat.class, ValueCodec.ofSerializable("format", DateFormat.class));

  private static void assertIs(String reason, long time, @Nullable Object found) {
    Deadline deadline = (Deadline) found;
    assertTrue(deadline != null && deadline.getTime() == time, () -> "" + found);
    assertEquals(reason, deadline.reason);
  }

  @Test
  void aMethodOfTheClassCanChangeAValueInPlace() {
    reopen(OPTIONS);
    Contract contract = store().root(Contract.class);
    contract.setDate(new Extended(1, "tax"));
    contract.note("paid");
    contract.setDeadline(new Deadline(1, "fee"));
    contract.postpone(5);
    contract.extend("a");
    contract.extend("b");
    rolledBack(() -> contract.note("not paid"));
    assertEquals("paid", ((Extended) Objects.requireNonNull(contract.getDate())).note);
    reopen(OPTIONS);
    Contract found = store().root(Contract.class);
    assertIs("fee", 6, found.getDeadline());
    assertEquals("ab", Objects.requireNonNull(found.getDeadline()).extension);
    assertEquals("paid", ((Extended) Objects.requireNonNull(found.getDate())).note);
  }

  @Test
  void aSubclassOfDateIsKeptWithItsFields() {
    reopen(OPTIONS);
    Contract contract = store().root(Contract.class);
    SimpleDateFormat format = new SimpleDateFormat("yyyy/MM", Locale.ROOT);
    format.setTimeZone(TimeZone.getTimeZone("Asia/Tokyo"));
    store()
        .transaction(
            () -> {
              contract.setDeadline(new Deadline(1, "tax"));
              contract.setDate(new Deadline(2, "fee"));
              contract.setAnything(new Extended(3, "rain", 4, 5));
              contract.setFormat(format);
              contract.getAll().add(new Extended(6, "snow"));
              contract.getByDeadline().put(new Deadline(7, "key"), "found");
            });
    for (int i = 0; i < 2; i++) {
      Contract found = store().root(Contract.class);
      assertIs("tax", 1, found.getDeadline());
      assertNotSame(found.getDeadline(), found.getDeadline());
      assertIs("fee", 2, found.getDate());
      assertIs("rain", 3, found.getAnything());
      assertEquals(5, ((Extended) found.getAnything()).days[1]);
      assertEquals(format, found.getFormat());
      assertIs("snow", 6, found.getAll().getFirst());
      assertEquals("found", found.getByDeadline().get(new Deadline(7, "key")));
      reopen(OPTIONS);
    }
  }

  @Test
  void aPartThatCannotBeSerializedIsNamed() {
    reopen(OPTIONS);
    Contract contract = store().root(Contract.class);
    Extended value = new Extended(1, "tax");
    value.note = new Contract();
    String message =
        assertThrows(NotPersistableException.class, () -> contract.setDeadline(value)).getMessage();
    assertTrue(message.contains("Contract is not java.io.Serializable"), message);
    assertEquals(null, contract.getDeadline());
  }

  @Test
  void bytesThatAreNoValueOfTheClassAreRefused() {
    byte[] garbage = "no stream".getBytes(StandardCharsets.US_ASCII);
    String message =
        assertThrows(IllegalStateException.class, () -> DEADLINE.decode(1, garbage)).getMessage();
    assertTrue(message.contains(Deadline.class.getName()), message);
    byte[] changed = DEADLINE.encode(new Deadline(1, "tax"));
    String stream = new String(changed, StandardCharsets.ISO_8859_1);
    // The last byte of the serialVersionUID follows the name of the class.
    changed[stream.indexOf("Deadline") + "Deadline".length() + 7]++;
    String of =
        assertThrows(IllegalStateException.class, () -> DEADLINE.decode(1, changed)).getMessage();
    assertTrue(of.contains("serialVersionUID"), of);
  }

  @Test
  void aStoreWithoutTheCodecSaysWhichIsMissing() {
    reopen(OPTIONS);
    store().root(Contract.class).setDeadline(new Deadline(1, "tax"));
    reopen();
    PmStoreException missing =
        assertThrows(ClassRefusedException.class, () -> store().root(Contract.class));
    assertTrue(missing.getMessage().contains("ValueCodec.ofSerializable"), missing.getMessage());
  }
}
