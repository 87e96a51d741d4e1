package io.pmstore.core.tx;

import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * Counts how many references to each object a transaction adds and removes. Objects are numbered in
 * the order in which they are met. Not safe for use by several threads; reused from one transaction
 * to the next.
 */
final class LinkCounts {
  /**
   * The bit of the state of an object that got a reference, whatever it lost. The other bits are
   * the caller's.
   */
  static final byte LINKED = 1;

  private static final int MIN = 16;
  private static final int KEPT_MAX = 256;
  private static final int UNASKED = 1 << 14; // objects
  private static final int BYTES = Long.BYTES + 3 * Integer.BYTES + 1; // for each of the capacity

  private long[] objects = new long[MIN];
  private int[] nets = new int[MIN];
  private byte[] states = new byte[MIN];
  private int count;
  private int[] table = new int[MIN * 2]; // number + 1; 0 is free
  private final LongConsumer room;

  /**
   * Creates counts of nothing.
   *
   * @param room is asked before the counts take memory for many objects; throws if there is none
   */
  LinkCounts(LongConsumer room) {
    this.room = room;
  }

  int count() {
    return count;
  }

  long object(int number) {
    return objects[number];
  }

  /** Returns the references added, less those removed. */
  int net(int number) {
    return nets[number];
  }

  byte state(int number) {
    return states[number];
  }

  void setState(int number, byte state) {
    states[number] = state;
  }

  boolean contains(long object) {
    return count > 0 && table[slot(object)] != 0;
  }

  /** Adds {@code n} to the count of an object; returns its number. */
  int add(long object, int n) {
    int slot = slot(object);
    int number = table[slot] - 1;
    if (number < 0) {
      number = count++;
      table[slot] = count;
      objects[number] = object;
      nets[number] = 0;
      states[number] = 0;
      if (count == objects.length) {
        expand();
      }
    }
    nets[number] += n;
    return number;
  }

  void clear() {
    if (table.length > KEPT_MAX && count < table.length >>> 4) {
      // Else every small transaction after a large one would pay for emptying its table.
      objects = new long[MIN];
      nets = new int[MIN];
      states = new byte[MIN];
      table = new int[MIN * 2];
    } else if (count > 0) {
      Arrays.fill(table, 0);
    }
    count = 0;
  }

  private int slot(long object) {
    return slot(table, objects, object);
  }

  private static int slot(int[] table, long[] objects, long object) {
    int mask = table.length - 1;
    int i = (int) ((object * 0x9E3779B97F4A7C15L) >>> 40) & mask;
    while (table[i] != 0 && objects[table[i] - 1] != object) {
      i = (i + 1) & mask;
    }
    return i;
  }

  private void expand() {
    int capacity = objects.length * 2;
    if (capacity > UNASKED) {
      room.accept((long) BYTES * capacity);
    }
    long[] newObjects = Arrays.copyOf(objects, capacity);
    int[] newNets = Arrays.copyOf(nets, capacity);
    byte[] newStates = Arrays.copyOf(states, capacity);
    int[] newTable = new int[capacity * 2];
    for (int number = 0; number < count; number++) {
      newTable[slot(newTable, objects, objects[number])] = number + 1;
    }
    table = newTable; // once all are whole: memory or the stack may have ended before
    objects = newObjects;
    nets = newNets;
    states = newStates;
  }
}
