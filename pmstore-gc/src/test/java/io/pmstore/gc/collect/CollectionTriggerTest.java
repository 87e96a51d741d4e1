package io.pmstore.gc.collect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class CollectionTriggerTest {
  private final CollectionTrigger trigger = new CollectionTrigger();

  @Test
  void aSmallHeapIsCollectedAfterTenThousandLostReferences() {
    assertFalse(trigger.lost(9_999));
    assertFalse(trigger.isDue());
    assertTrue(trigger.lost(1));
    assertTrue(trigger.isDue());
    assertFalse(trigger.lost(1), "only the one that makes it due wakes the collector");
    trigger.began();
    trigger.ended(30_000);
    assertFalse(trigger.isDue());
    assertTrue(trigger.lost(10_000));
  }

  @Test
  void aLargeHeapIsCollectedWhenAQuarterMayBeGarbage() {
    trigger.ended(1_000_000);
    assertFalse(trigger.lost(249_999));
    assertTrue(trigger.lost(1_000));
    assertEquals(true, trigger.isDue());
  }

  @Test
  void whatIsLostDuringACollectionCountsForTheNext() {
    trigger.lost(20_000);
    trigger.began();
    trigger.lost(10_000);
    trigger.ended(100);
    assertTrue(trigger.isDue());
  }
}
