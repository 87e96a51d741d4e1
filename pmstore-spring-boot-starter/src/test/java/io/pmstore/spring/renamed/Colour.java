package io.pmstore.spring.renamed;

import io.pmstore.FormerNames;

/** An enum that stores may know by a former name. */
@FormerNames("io.pmstore.spring.renamed.Color")
public enum Colour {
  RED
}
