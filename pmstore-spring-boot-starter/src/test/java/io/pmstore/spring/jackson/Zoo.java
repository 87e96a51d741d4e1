package io.pmstore.spring.jackson;

import io.pmstore.Persistent;

/** The root of the stores with objects of enhanced classes. */
@Persistent(root = "zoo")
public final class Zoo {
  Keeper keeper;
}
