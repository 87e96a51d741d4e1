package io.pmstore.jmh.gc;

import io.pmstore.Persistent;
import java.util.ArrayList;
import java.util.List;

/** All places. */
@Persistent(root = "shop")
public class Shop {
  private List<Place> places = new ArrayList<>();

  public List<Place> getPlaces() {
    return places;
  }
}
