package io.pmstore.cli.market;

/** A record that implements an interface. */
public record Tag(String text) implements Named {}
