package io.pmstore.cli.market;

/** What persistent classes, records and enums of a program may implement. */
public interface Named {}
