package io.pmstore.cli.market;

import io.pmstore.Persistent;

/** A part of a special class. */
@Persistent
public class SpecialPart extends Part implements Named {}
