package io.pmstore.core.engine;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.StoreClosedException;
import io.pmstore.StoreFailedException;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class EngineStateTest {
  private final EngineState state = new EngineState(Path.of("store"));
  private final Throwable first = new IOException("first");

  @Test
  void itIsOpenFirst() {
    state.check();
    assertFalse(state.hasFailed());
    assertFalse(state.isClosed());
  }

  @Test
  void theFirstFailureIsTheReasonOfAllThatFollows() {
    assertSame(first, state.fail(new StoreFailedException("no disk", first)));
    assertSame(first, state.fail(new IOException("second")));
    assertSame(first, assertThrows(StoreFailedException.class, state::check).getCause());
    assertSame(first, assertThrows(StoreFailedException.class, state::checkNotFailed).getCause());
    assertTrue(state.hasFailed());
  }

  @Test
  void aLostCommitFailsItUntilAReasonIsKnown() {
    state.lost = true;
    assertTrue(state.hasFailed());
    assertThrows(StoreFailedException.class, state::check);
    state.fail(first);
    assertSame(first, assertThrows(StoreFailedException.class, state::check).getCause());
  }

  @Test
  void closedItSaysSoEvenIfItHasFailed() {
    state.close();
    assertThrows(StoreClosedException.class, state::check);
    state.checkNotFailed();
    state.fail(first);
    assertThrows(StoreClosedException.class, state::check);
    assertThrows(StoreFailedException.class, state::checkNotFailed);
    assertTrue(state.isClosed());
  }
}
