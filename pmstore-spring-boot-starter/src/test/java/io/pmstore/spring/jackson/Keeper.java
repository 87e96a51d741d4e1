package io.pmstore.spring.jackson;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.pmstore.Persistent;
import java.util.ArrayList;
import java.util.List;

/** A final class with a field that other code uses, one without a getter, and a list. */
@Persistent
public final class Keeper {
  public int age;
  @JsonProperty private String phone = "";
  private String name = "";
  private List<Integer> shifts = new ArrayList<>();

  static Keeper of(String name) {
    Keeper made = new Keeper();
    made.name = name;
    made.phone = name + "'s";
    made.shifts.addAll(List.of(1, 2));
    return made;
  }

  public String getName() {
    return name;
  }

  public void setName(String name) {
    this.name = name;
  }

  public List<Integer> getShifts() {
    return shifts;
  }

  public void setShifts(List<Integer> shifts) {
    this.shifts = shifts;
  }
}
