package io.pmstore.gc.model;

/** A value that is kept with its object, its text out of line if it is long. */
public record Tag(long version, String text) {}
