package io.pmstore.gc.upgrade;

import io.pmstore.Persistent;
import java.util.ArrayList;
import java.util.List;

/** A shelf as it was. */
@Persistent(root = "shelf")
public class OldShelf implements Shelf {
  private List<OldItem> items = new ArrayList<>();

  @Override
  public List<OldItem> items() {
    return items;
  }

  @Override
  public void fill(int count) {
    for (int number = 0; number < count; number++) {
      items.add(new OldItem(number));
    }
  }
}
