import io.pmstore.core.engine.EngineProvider;
import io.pmstore.llpl.LlplProvider;

/** The engine of {@link io.pmstore.Storage#LLPL}: stores in pools of PMDK. */
@SuppressWarnings("requires-automatic") // LLPL is published without a module name
module io.pmstore.llpl {
  requires io.pmstore.core;
  requires llpl;
  requires static org.jspecify;

  provides EngineProvider with
      LlplProvider;
}
