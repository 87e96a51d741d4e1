package io.pmstore.enhance.sample;

import java.util.Arrays;

/** A class that uses no field of another one, and stores elements into what a getter gives out. */
public final class Clerk {
  private Clerk() {}

  public static void enter(Sheet sheet) {
    sheet.getCells()[0] += 5;
    Arrays.fill(sheet.getCells(), 1, 2, 6L);
  }
}
