package io.pmstore.spring.renamed;

import io.pmstore.FormerNames;

/** A record that stores may know by a former name. */
@FormerNames("io.pmstore.spring.renamed.Location")
public record Place(String town) {}
