package io.pmstore.spi;

import io.pmstore.spi.ArrayOrigins.Place;
import io.pmstore.spi.ArrayOrigins.Source;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;

/** Stores elements of an array, or a date, in one property that has it. */
final class ArrayWrite {
  private final Object array;
  private final int from;
  private final int length;
  private final List<Place> places; // of the array in the property, one at least
  private final Source source;

  private ArrayWrite(Object array, int from, int length, List<Place> places) {
    this.array = array;
    this.from = from;
    this.length = length;
    this.places = places;
    this.source = places.getFirst().source;
  }

  /** Stores elements of an array at all its places. */
  static void store(Object array, int from, int length, List<Place> places) {
    for (Place place : places) {
      if (place.isOneOfMany) {
        throw isOfMany();
      }
    }
    List<ArrayWrite> stale = new ArrayList<>(0);
    boolean isStored = false;
    List<Place> rest = places;
    while (!rest.isEmpty()) {
      Source source = rest.getFirst().source;
      ObjectHandle handle = source.owner.pmstoreHandle();
      List<Place> ofProperty = new ArrayList<>();
      List<Place> others = new ArrayList<>();
      for (Place place : rest) {
        (place.source.isOf(handle, source.offset) ? ofProperty : others).add(place);
      }
      ArrayWrite write = new ArrayWrite(array, from, length, ofProperty);
      if (write.run(handle)) {
        isStored = true;
      } else {
        stale.add(write);
      }
      rest = others;
    }
    for (ArrayWrite write : stale) {
      if (!write.isReplaced(isStored)) {
        throw write.isStale();
      }
    }
  }

  /**
   * Returns true if the program has replaced the array in the property by another one, so that it
   * is plain, or is stored elsewhere. An array that was only read, and is nowhere else, may be
   * meant as that of the property still.
   */
  private boolean isReplaced(boolean isElsewhere) {
    ObjectHandle handle = source.owner.pmstoreHandle();
    return places.stream()
        .allMatch(
            place ->
                (isElsewhere || place.source.isAssigned)
                    && ArrayOrigins.isReplaced(place.source, handle));
  }

  /** Stores the elements. Returns false if the property was written since the array was read. */
  private boolean run(ObjectHandle handle) {
    if (!handle.isOutsideTransactions()) {
      return store(handle);
    }
    try {
      return Boolean.TRUE.equals(handle.run(() -> store(handle), false));
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e); // the body throws none
    }
  }

  private boolean store(ObjectHandle handle) {
    try {
      return storeIn(handle);
    } finally {
      Reference.reachabilityFence(source.owner);
    }
  }

  @SuppressWarnings("ReferenceEquality") // an equal array is another one
  private boolean storeIn(ObjectHandle handle) {
    if (source.isHeld) {
      if (places.stream().allMatch(place -> place.isHeldNow(handle))) {
        return true; // the transaction writes back what holds it
      }
      throw isOfHolder();
    }
    Object whole = handle.getObject(source.offset, source.property);
    for (Place place : places) {
      if (whole != null && place.root == whole) {
        return true; // the transaction writes it back
      }
    }
    List<Place> current = places.stream().filter(place -> place.isCurrent(handle)).toList();
    if (current.isEmpty()) {
      if (places.stream().allMatch(place -> place.source.ofMethod) && handle.isChangingInPlace()) {
        return true; // the method has replaced it, so it is a plain array now
      }
      return false;
    }
    for (Place place : current) {
      whole = place.with(whole, array, from, length);
    }
    handle.putObject(source.offset, source.property, whole);
    for (Place place : current) {
      place.source.raise(handle);
    }
    return true;
  }

  private IllegalStateException isOfHolder() {
    return new IllegalStateException(
        "%s in a record or Optional of a %s is changed in place outside of the transaction that read it, so nothing was stored; do both in one transaction or in one method of the class, or change a copy, such as clone() makes"
            .formatted(array.getClass().getTypeName(), source.owner.getClass().getName()));
  }

  private static IllegalStateException isOfMany() {
    return new IllegalStateException(
        "elements are stored into an array that more than %d properties of persistent objects, or places in other arrays, have had, so nothing was stored; set each property to a copy, such as clone() makes"
            .formatted(ArrayOrigins.LINKS_MAX));
  }

  private IllegalStateException isStale() {
    return new IllegalStateException(
        "%s of a %s is changed in place, but its field was written since it was read; read the field again, or do both in one method of the class"
            .formatted(array.getClass().getTypeName(), source.owner.getClass().getName()));
  }
}
