package io.pmstore.evolution.golden;

import io.pmstore.FormerNames;
import io.pmstore.Persistent;
import java.util.ArrayList;
import java.util.List;

/** The root of a golden store. */
@Persistent
@FormerNames("io.pmstore.evolution.golden.OldGallery")
public class Gallery {
  private List<Piece> pieces = new ArrayList<>();
  private Exhibit exhibit;

  public List<Piece> getPieces() {
    return pieces;
  }

  public Exhibit getExhibit() {
    return exhibit;
  }

  public void setExhibit(Exhibit exhibit) {
    this.exhibit = exhibit;
  }
}
