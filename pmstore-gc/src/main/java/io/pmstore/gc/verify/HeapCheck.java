package io.pmstore.gc.verify;

import static io.pmstore.core.heap.CoreLayout.BLOB_BYTES_OFFSET;
import static io.pmstore.core.heap.CoreLayout.BLOB_LENGTH_OFFSET;
import static io.pmstore.core.heap.CoreLayout.FLAGS_BLOB;
import static io.pmstore.core.heap.CoreLayout.FLAGS_CATALOGUE_ENTRY;
import static io.pmstore.core.heap.CoreLayout.FLAGS_LONG_BLOB;
import static io.pmstore.core.heap.CoreLayout.FLAGS_ROOT_ENTRY;
import static io.pmstore.core.heap.CoreLayout.LONG_BLOB_PARTS_OFFSET;
import static io.pmstore.core.heap.CoreLayout.PART_MAX;

import io.pmstore.VerificationReport;
import io.pmstore.core.catalogue.CellLayout;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.core.catalogue.WordLayout;
import io.pmstore.core.heap.ForwarderLayout;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.space.ObjectLayout;
import io.pmstore.gc.account.ClassUses;
import io.pmstore.gc.trace.ShapeTable;
import io.pmstore.gc.trace.TraceVisitor;
import io.pmstore.gc.trace.TracedShape;
import io.pmstore.gc.trace.Tracer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks every reference that a walk meets, and its target, before the walk follows it. It reports
 * a faulty one and does not follow it, so the walk itself reads only valid objects.
 */
final class HeapCheck implements TraceVisitor {
  private static final int LOW_BITS = 7;

  private final HeapMemory memory;
  private final SpaceMap space;
  private final ShapeTable shapes;
  private final EnumTable enums;
  private final FaultLog faults;
  private final WalkProgress progress;
  private final Tracer tracer;
  private final ClassUses uses = new ClassUses();
  private final NodeView nodes;

  private @Nullable ShapeRules[] rulesById = new ShapeRules[64];
  // Objects with faulty headers of their own: reported once, even if several references lead
  // there.
  private final Set<Long> faultyObjects = new HashSet<>();

  @SuppressWarnings("this-escape") // the tracer keeps its visitor and does not call it yet
  HeapCheck(
      HeapMemory memory,
      SpaceMap space,
      ShapeTable shapes,
      EnumTable enums,
      FaultLog faults,
      WalkProgress progress) {
    this.memory = memory;
    this.space = space;
    this.shapes = shapes;
    this.enums = enums;
    this.faults = faults;
    this.progress = progress;
    this.nodes = new NodeView(memory, space, shapes);
    this.tracer = new Tracer(memory, shapes, this);
  }

  Tracer tracer() {
    return tracer;
  }

  ClassUses uses() {
    return uses;
  }

  // ---- the walk's questions

  @Override
  public boolean reference(TracedShape holder, long reference) {
    ShapeRules rules = rules(holder.shape().id());
    NodeRole role = rules == null ? NodeRole.OF_USER : rules.role;
    int lowBits = (int) reference & LOW_BITS;
    int roles = role.refersTo(lowBits);
    if (roles == 0) {
      fault("a reference of 0x%x".formatted(reference), role.expectedReference());
      return false;
    }
    return object(reference - lowBits, roles);
  }

  @Override
  public boolean word(SlotKind kind, long word) {
    String expected = WordRules.check(kind, word);
    if (expected != null) {
      fault("a word of 0x%x of kind %s".formatted(word, kind), expected);
      return false;
    }
    if (WordLayout.isInline(word)) {
      return true;
    }
    if (!blob(word)) {
      return false;
    }
    int length = length(word);
    String expectedLength = WordRules.checkLength(kind, length);
    if (expectedLength != null) {
      fault(
          length + " bytes at heap address " + word + " for a word of kind " + kind,
          expectedLength);
      return false;
    }
    return true;
  }

  @Override
  public boolean cell(long first, long second) {
    String expected = CellRules.check(first, second, enums);
    if (expected != null) {
      fault("a cell of 0x%x 0x%x".formatted(first, second), expected);
      return false;
    }
    if (!CellLayout.holdsAddress(first)) {
      return true;
    }
    int tag = CellLayout.tag(first);
    if (tag == CellLayout.OBJECT || tag == CellLayout.EMBEDDED) {
      return object(second, NodeRole.OBJECT);
    }
    if (!blob(second)) {
      return false;
    }
    int length = length(second);
    String expectedLength = CellRules.checkLength(first, length);
    if (expectedLength != null) {
      fault(length + " bytes at heap address " + second + " for tag " + tag, expectedLength);
      return false;
    }
    return true;
  }

  @Override
  public boolean part(long blob, int index, long part) {
    int expected = Math.min(PART_MAX, length(blob) - index * PART_MAX);
    String name = "part %d of the byte string at heap address %d: ".formatted(index, blob);
    if (space.room(part) == 0) {
      fault(name + space.describe(part), "the address of its bytes");
      return false;
    }
    if (!isBlob(part)
        || coreFlags(memory.getLong(part)) != FLAGS_BLOB
        || length(part) != expected) {
      fault(name + describe(part), expected + " bytes in one object");
      return false;
    }
    if (tracer.marks().get(part)) {
      fault(name + describe(part) + ", which has a place already", "bytes of its own");
      return false;
    }
    checkLinks(part);
    return true;
  }

  @Override
  public void reached(long object, long header, @Nullable TracedShape shape) {
    int room = space.room(object);
    uses.add(header, room, shape);
    progress.reached(room);
    if (shape != null) {
      ShapeRules rules = rules(shape.shape().id());
      if (rules != null) {
        rules.checkValues(
            memory,
            object,
            (property, value, max) ->
                faults.add(
                    faults.hasRoom() ? tracer.placeIn(object, shape, property.name()) : "",
                    property.kind() + " value " + value,
                    "0 to " + max));
        CollectionChecks.check(
            shape.shape().className(),
            nodes,
            object,
            (place, found, expected) ->
                faults.add(
                    faults.hasRoom() ? tracer.placeIn(object, shape, place) : "", found, expected));
      }
    }
  }

  // ---- checks of an address's target; false after a report

  /** Checks for an object that has one of a set of roles. */
  boolean object(long address, int roles) {
    int room = space.room(address);
    if (room == 0) {
      fault(space.describe(address), "the address of " + NodeRole.names(roles));
      return false;
    }
    long header = memory.getLong(address);
    ShapeRules rules = rules(ObjectLayout.shapeId(header));
    int size =
        ObjectLayout.size(header); // larger than the shape's if the object was upgraded in place
    if (rules == null || size < rules.size || size > room) {
      return faultyHeader(address, header, rules, room);
    }
    NodeRole role = ObjectLayout.isBody(header) ? rules.role.ofBody() : rules.role;
    if (!role.fits(roles)) {
      fault(describe(address), NodeRole.names(roles));
      return false;
    }
    if (role.isPart() && tracer.marks().get(address)) {
      fault(describe(address) + ", which has a place already", "a part of its own");
      return false;
    }
    if (rules.isForwarder && memory.getLong(address + ForwarderLayout.BODY_OFFSET) == 0) {
      fault(describe(address) + " that leads nowhere", "the address of a body in it");
      return false;
    }
    checkLinks(address);
    return true;
  }

  private boolean faultyHeader(long address, long header, @Nullable ShapeRules rules, int room) {
    if (faultyObjects.contains(address)) {
      return false;
    }
    if (faultyObjects.size() < VerificationReport.FAULTS_MAX) {
      faultyObjects.add(address);
    }
    if (rules == null) {
      fault(
          describe(address),
          ObjectLayout.shapeId(header) == ObjectLayout.SHAPE_CORE
              ? "an object or collection"
              : "a shape of the catalogue");
    } else if (ObjectLayout.size(header) < rules.size) {
      fault(
          describe(address) + " with a size of " + ObjectLayout.size(header) + " bytes",
          "the " + rules.size + " bytes of its shape");
    } else {
      fault(
          describe(address) + " of " + ObjectLayout.size(header) + " bytes in a slot of " + room,
          "a slot with room for it");
    }
    return false;
  }

  /** Checks for an out-of-line blob. */
  boolean blob(long address) {
    if (space.room(address) == 0) {
      fault(space.describe(address), "the address of a byte string");
      return false;
    }
    if (!isBlob(address)) {
      fault(describe(address), "a byte string whose length fits its size");
      return false;
    }
    checkLinks(address);
    return true;
  }

  /** Checks for an entry of a list of the superblock, reached for the first time. */
  boolean entry(long address, int flags, int size) {
    if (space.room(address) < size) {
      fault(space.describe(address), "the address of an entry");
      return false;
    }
    if (ObjectLayout.withLinks(memory.getLong(address), 0)
        != ObjectLayout.header(ObjectLayout.SHAPE_CORE, flags, size)) {
      fault(describe(address), coreName(flags) + " of " + size + " bytes");
      return false;
    }
    if (tracer.marks().get(address)) {
      fault(describe(address) + " for the second time", "a further one, or the end of the list");
      return false;
    }
    checkLinks(address);
    return true;
  }

  /** Checks the link flags of an object against the reference that leads to it now. */
  private void checkLinks(long address) {
    int links = ObjectLayout.links(memory.getLong(address));
    if (links == 0) {
      return;
    }
    if (links != ObjectLayout.FLAG_SINGLE) {
      fault("a reference to " + describe(address), "none, as its header says");
    } else if (tracer.marks().get(address)) {
      fault("a second reference to " + describe(address), "only one, as its header says");
    }
  }

  private boolean isBlob(long address) {
    long header = memory.getLong(address);
    int size = ObjectLayout.size(header);
    int length = length(address);
    if (ObjectLayout.shapeId(header) != ObjectLayout.SHAPE_CORE
        || size > space.room(address)
        || length < 0) {
      return false;
    }
    long needed =
        switch (coreFlags(header)) {
          case FLAGS_BLOB -> ((long) BLOB_BYTES_OFFSET + length + 7) & -8L;
          case FLAGS_LONG_BLOB ->
              length <= PART_MAX
                  ? -1
                  : LONG_BLOB_PARTS_OFFSET + 8 * (((long) length + PART_MAX - 1) / PART_MAX);
          default -> -1;
        };
    return size == needed;
  }

  private int length(long blob) {
    return memory.getInt(blob + BLOB_LENGTH_OFFSET);
  }

  // ---- descriptions

  private void fault(String found, String expected) {
    faults.add(faults.hasRoom() ? tracer.place() : "", found, expected);
  }

  /** Describes the object at an allocated address by its header. */
  private String describe(long address) {
    long header = memory.getLong(address);
    int shapeId = ObjectLayout.shapeId(header);
    ShapeRules rules = rules(shapeId);
    String at = " at heap address " + address;
    if (rules != null) {
      String body = ObjectLayout.isBody(header) ? "the body of a moved object" : "an object";
      return body + " of class " + rules.traced.shape().className() + at;
    }
    if (shapeId != ObjectLayout.SHAPE_CORE) {
      return "an object of unknown shape " + Integer.toUnsignedString(shapeId) + at;
    }
    int flags = coreFlags(header);
    return flags == FLAGS_BLOB || flags == FLAGS_LONG_BLOB
        ? "a byte string of length %d in %d bytes%s"
            .formatted(length(address), ObjectLayout.size(header), at)
        : coreName(flags) + at;
  }

  /** Returns the flags of one of the heap's own objects without the link flags. */
  private static int coreFlags(long header) {
    return ObjectLayout.flags(ObjectLayout.withLinks(header, 0));
  }

  private static String coreName(int flags) {
    return switch (flags) {
      case FLAGS_CATALOGUE_ENTRY -> "a catalogue entry";
      case FLAGS_ROOT_ENTRY -> "a root entry";
      default -> "an object of the store's own of kind " + flags;
    };
  }

  private @Nullable ShapeRules rules(int shapeId) {
    if (shapeId > 0 && shapeId < rulesById.length) {
      ShapeRules known = rulesById[shapeId];
      if (known != null) {
        return known;
      }
    }
    TracedShape shape = shapes.find(shapeId);
    if (shape == null) {
      return null;
    }
    if (shapeId >= rulesById.length) {
      rulesById = Arrays.copyOf(rulesById, Math.max(shapeId + 1, rulesById.length * 2));
    }
    ShapeRules rules = new ShapeRules(shape, enums);
    rulesById[shapeId] = rules;
    return rules;
  }
}
