package io.pmstore.proxy.schema;

import io.pmstore.core.catalogue.Property;
import io.pmstore.proxy.collection.CollectionKind;
import java.util.List;

/**
 * What every new object of a class has, where the constructor always makes the same.
 *
 * @param fields the bytes behind the header; they hold no address
 * @param collections the empty collections that an object gets beside them
 * @param plain has the values of the fields that the store does not keep; nobody changes it
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
public record InitialState(byte[] fields, List<EmptyCollection> collections, Object plain) {

  /** A property whose initial value is an empty collection of its own. */
  public record EmptyCollection(Property property, CollectionKind kind) {}
}
