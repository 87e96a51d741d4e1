package io.pmstore.proxy.schema;

/**
 * What every new object of a class has, where the constructor always makes the same.
 *
 * @param fields the bytes behind the header; they hold no address
 * @param plain has the values of the fields that the store does not keep; nobody changes it
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
public record InitialState(byte[] fields, Object plain) {}
