import io.pmstore.core.engine.EngineProvider;
import io.pmstore.tiered.TieredProvider;

/** The engine of {@link io.pmstore.Storage#TIERED}: a heap in DRAM behind pools of images. */
module io.pmstore.tiered {
  requires io.pmstore.core;
  requires static org.jspecify;

  provides EngineProvider with
      TieredProvider;
}
