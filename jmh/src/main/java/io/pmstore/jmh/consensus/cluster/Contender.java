package io.pmstore.jmh.consensus.cluster;

import io.pmstore.jmh.results.Subject;

/** What keeps the map. */
public enum Contender {
  /** A state machine that does nothing: what is left is Ratis. */
  IDLE("idle", Subject.SYNC),
  /** The thesis' baseline. */
  LOG("log", Subject.SYNC),
  /** Versions in a persistent list. */
  LIST("list", Subject.SYNC),
  /** The same, durable at every tenth entry or after some milliseconds. */
  LIST_10("list", Subject.RELAXED),
  /** Versions in a persistent B+ tree. */
  TREE("tree", Subject.SYNC),
  /** The same, durable at every tenth entry or after some milliseconds. */
  TREE_10("tree", Subject.RELAXED),
  /** The replicated store of pmstore. */
  PMSTORE("pmstore", Subject.SYNC);

  private final String label;
  private final String durability;

  Contender(String label, String durability) {
    this.label = label;
    this.durability = durability;
  }

  /** Its name in the results. */
  public String label() {
    return label;
  }

  /** Whether an acknowledged change is durable on a majority. */
  public String durability() {
    return durability;
  }

  /** How many entries are made durable together. */
  public int persistEvery() {
    return durability.equals(Subject.SYNC) ? 1 : 10;
  }
}
