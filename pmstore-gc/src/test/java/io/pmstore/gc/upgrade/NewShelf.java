package io.pmstore.gc.upgrade;

import io.pmstore.Persistent;
import java.util.ArrayList;
import java.util.List;

/** A shelf as it is today. */
@Persistent(root = "shelf")
public class NewShelf implements Shelf {
  private String place = "north";
  private List<NewItem> items = new ArrayList<>();

  @Override
  public List<NewItem> items() {
    if (!place.equals("north")) {
      throw new AssertionError(place);
    }
    return items;
  }

  @Override
  public void fill(int count) {
    throw new UnsupportedOperationException();
  }
}
