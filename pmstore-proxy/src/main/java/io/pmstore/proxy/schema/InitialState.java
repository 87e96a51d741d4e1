package io.pmstore.proxy.schema;

import io.pmstore.core.catalogue.Property;
import io.pmstore.proxy.collection.CollectionKind;
import java.util.List;

/**
 * The initial state of every new object of a class whose constructor always makes equal objects.
 *
 * @param fields the bytes behind the header; they hold no address
 * @param collections the empty collections that an object gets besides
 * @param plain has the values of the transient fields; it does not change
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
public record InitialState(byte[] fields, List<EmptyCollection> collections, Object plain) {

  /** A property whose initial value is an empty collection of its own. */
  public record EmptyCollection(Property property, CollectionKind kind) {}
}
