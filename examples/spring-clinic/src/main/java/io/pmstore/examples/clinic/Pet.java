package io.pmstore.examples.clinic;

import io.pmstore.Persistent;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/** An animal and its visits. JSON makes one, an assignment stores it. */
@Persistent
public class Pet {
  /** The kinds that the clinic treats. */
  public enum Kind {
    CAT,
    DOG,
    PARROT
  }

  private String name;
  private Kind kind;
  private LocalDate born;
  private List<Visit> visits = new ArrayList<>();

  public String getName() {
    return name;
  }

  public void setName(String name) {
    this.name = name;
  }

  public Kind getKind() {
    return kind;
  }

  public void setKind(Kind kind) {
    this.kind = kind;
  }

  public LocalDate getBorn() {
    return born;
  }

  public void setBorn(LocalDate born) {
    this.born = born;
  }

  public List<Visit> getVisits() {
    return visits;
  }

  public void setVisits(List<Visit> visits) {
    this.visits = visits;
  }
}
