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
  private final int[] changed;
  private final List<Place> places; // of the array in the property, one at least
  private final Source source;

  private ArrayWrite(Object array, List<Place> places, int... changed) {
    this.array = array;
    this.changed = changed;
    this.places = places;
    this.source = places.getFirst().source;
  }

  /**
   * Stores elements of an array at all its places.
   *
   * @param changed the indexes of the elements, ascending
   */
  static void store(Object array, List<Place> places, int... changed) {
    int from = changed[0];
    int span = changed[changed.length - 1] + 1 - from; // all that differs from a kept copy
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
      new ArrayWrite(array, ofProperty, changed).run(handle);
      ArrayContents.stored(array, from, span, handle);
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
      Object part = place.in(whole);
      for (int i : changed) {
        System.arraycopy(array, i, part, i, 1);
      }
    }
    long before = handle.valueVersion(source.offset);
    handle.putObject(source.offset, source.property, whole);
    ArrayOrigins.writtenBack(Objects.requireNonNull(whole), handle, source.offset);
    for (Place place : current) {
      place.source.written(handle);
    }
    ArrayContents.storedElements(handle, source.offset, before);
  }

  private static IllegalStateException isOfMany() {
    return new IllegalStateException(
        "more than %d properties of persistent objects, or places in other arrays, have had the array whose elements were changed, so the store does not follow it and nothing was stored; set each property to a copy, such as clone() makes"
            .formatted(ArrayOrigins.LINKS_MAX));
  }

  private IllegalStateException isStale() {
    return new IllegalStateException(
        "elements are stored into an array that was read from a field of class "
            + source.owner.getClass().getName()
            + ", and that field was written since; read the field again, or do both in"
            + " one method of the class");
  }
}
