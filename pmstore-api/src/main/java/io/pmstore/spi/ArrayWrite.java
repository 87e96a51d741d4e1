package io.pmstore.spi;

import io.pmstore.spi.ArrayOrigins.Place;
import io.pmstore.spi.ArrayOrigins.Source;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Stores elements of an array in one property that has the array. */
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
    List<Place> rest = places;
    while (!rest.isEmpty()) {
      Source source = rest.getFirst().source;
      ObjectHandle handle = source.owner.pmstoreHandle();
      List<Place> ofProperty = new ArrayList<>();
      List<Place> others = new ArrayList<>();
      for (Place place : rest) {
        (place.source.isOf(handle, source.offset) ? ofProperty : others).add(place);
      }
      new ArrayWrite(array, from, length, ofProperty).run(handle);
      ArrayContents.stored(array, from, length, handle);
      rest = others;
    }
  }

  private void run(ObjectHandle handle) {
    if (!handle.isOutsideTransactions()) {
      store(handle);
      return;
    }
    try {
      handle.run(
          () -> {
            store(handle);
            return null;
          },
          false);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e); // the body throws none
    }
  }

  private void store(ObjectHandle handle) {
    try {
      storeIn(handle);
    } finally {
      Reference.reachabilityFence(source.owner);
    }
  }

  @SuppressWarnings("ReferenceEquality") // an equal array is another one
  private void storeIn(ObjectHandle handle) {
    Object whole = handle.getObject(source.offset, source.property);
    for (Place place : places) {
      if (whole != null && place.root == whole) {
        return; // the transaction writes it back
      }
    }
    List<Place> current = places.stream().filter(place -> place.isCurrent(handle)).toList();
    if (current.isEmpty()) {
      if (places.stream().allMatch(place -> place.source.ofMethod) && handle.isChangingInPlace()) {
        return; // the method has replaced it, so it is a plain array now
      }
      throw isStale();
    }
    for (Place place : current) {
      System.arraycopy(array, from, place.in(whole), from, length);
    }
    handle.putObject(source.offset, source.property, whole);
    ArrayOrigins.writtenBack(Objects.requireNonNull(whole), handle, source.offset);
    for (Place place : current) {
      place.source.written(handle);
    }
  }

  private static IllegalStateException isOfMany() {
    return new IllegalStateException(
        "elements are stored into an array that more than %d properties of persistent objects, or places in other arrays, have had, so nothing was stored; set each property to a copy, such as clone() makes"
            .formatted(ArrayOrigins.LINKS_MAX));
  }

  private IllegalStateException isStale() {
    return new IllegalStateException(
        "elements are stored into an array of class "
            + source.owner.getClass().getName()
            + " that was written since the field was read; read the field again, or do both in"
            + " one method of the class");
  }
}
