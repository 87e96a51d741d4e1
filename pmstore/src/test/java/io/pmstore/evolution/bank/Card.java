package io.pmstore.evolution.bank;

import io.pmstore.Persistent;

/** Belongs to an {@link Account}. */
@Persistent
public class Card {
  private int number;

  Card() {}

  Card(int number) {
    this.number = number;
  }

  public int getNumber() {
    return number;
  }
}
