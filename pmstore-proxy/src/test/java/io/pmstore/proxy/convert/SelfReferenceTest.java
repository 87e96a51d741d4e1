package io.pmstore.proxy.convert;

import static org.junit.jupiter.api.Assertions.assertSame;

import io.pmstore.Persistent;
import io.pmstore.proxy.fixture.StoreTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A constructor that passes its object on: what holds the object refers to the persistent object
 * then.
 */
class SelfReferenceTest extends StoreTest {
  /** Refers to who made it. */
  @Persistent
  static class Part {
    private @Nullable Whole owner;

    Part() {}

    Part(Whole owner) {
      this.owner = owner;
    }

    Whole owner() {
      return Objects.requireNonNull(owner);
    }
  }

  /** Makes a part of itself. */
  @Persistent(root = "whole")
  static class Whole {
    private Part part = new Part(this);
    private List<Whole> others = new ArrayList<>();

    Part part() {
      return part;
    }

    List<Whole> others() {
      return others;
    }
  }

  @Test
  void aPartLeadsBackToTheWhole() {
    Whole root = store().root(Whole.class);
    assertSame(root, root.part().owner());
    store()
        .transaction(
            () -> {
              Whole created = store().create(Whole.class);
              assertSame(created, created.part().owner());
              root.others().add(created);
              root.others().add(new Whole());
            });
    reopen();
    Whole again = store().root(Whole.class);
    assertSame(again, again.part().owner());
    for (Whole other : again.others()) {
      assertSame(other, other.part().owner());
    }
  }
}
