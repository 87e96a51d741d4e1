package io.pmstore.proxy.layer;

import io.pmstore.Persistent;
import io.pmstore.PmStoreOptions;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.ObjectLayer;
import io.pmstore.core.heap.ObjectLayerContractTest;
import org.jspecify.annotations.Nullable;

class ProxyLayerTest extends ObjectLayerContractTest {
  @Persistent
  public static class Bean implements Node {
    private @Nullable String text;
    private @Nullable Node next;

    @Override
    public @Nullable String getText() {
      return text;
    }

    @Override
    public void setText(@Nullable String text) {
      this.text = text;
    }

    @Override
    public @Nullable Node getNext() {
      return next;
    }

    @Override
    public void setNext(@Nullable Node next) {
      this.next = next;
    }
  }

  @Override
  protected ObjectLayer layer(Heap heap) {
    return new ProxyLayerProvider().open(heap, PmStoreOptions.defaults());
  }

  @Override
  protected Class<? extends Node> node() {
    return Bean.class;
  }

  @Override
  protected Node plain() {
    return new Bean();
  }
}
