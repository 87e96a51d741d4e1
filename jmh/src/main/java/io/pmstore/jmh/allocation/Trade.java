package io.pmstore.jmh.allocation;

import io.pmstore.Persistent;

/** An object of 100 bytes: eleven {@code long}s, one {@code int}, and pmstore's header of eight. */
@Persistent
public interface Trade {
  long getValue1();

  void setValue1(long value);

  long getValue2();

  void setValue2(long value);

  long getValue3();

  void setValue3(long value);

  long getValue4();

  void setValue4(long value);

  long getValue5();

  void setValue5(long value);

  long getValue6();

  void setValue6(long value);

  long getValue7();

  void setValue7(long value);

  long getValue8();

  void setValue8(long value);

  long getValue9();

  void setValue9(long value);

  long getValue10();

  void setValue10(long value);

  long getValue11();

  void setValue11(long value);

  int getQuantity();

  void setQuantity(int quantity);
}
