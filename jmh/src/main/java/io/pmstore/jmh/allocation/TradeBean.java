package io.pmstore.jmh.allocation;

import io.pmstore.Persistent;

/** The properties of {@link Trade}, as a class. */
@Persistent
public class TradeBean implements Trade {
  private long value1;
  private long value2;
  private long value3;
  private long value4;
  private long value5;
  private long value6;
  private long value7;
  private long value8;
  private long value9;
  private long value10;
  private long value11;
  private int quantity;

  @Override
  public long getValue1() {
    return value1;
  }

  @Override
  public void setValue1(long value) {
    value1 = value;
  }

  @Override
  public long getValue2() {
    return value2;
  }

  @Override
  public void setValue2(long value) {
    value2 = value;
  }

  @Override
  public long getValue3() {
    return value3;
  }

  @Override
  public void setValue3(long value) {
    value3 = value;
  }

  @Override
  public long getValue4() {
    return value4;
  }

  @Override
  public void setValue4(long value) {
    value4 = value;
  }

  @Override
  public long getValue5() {
    return value5;
  }

  @Override
  public void setValue5(long value) {
    value5 = value;
  }

  @Override
  public long getValue6() {
    return value6;
  }

  @Override
  public void setValue6(long value) {
    value6 = value;
  }

  @Override
  public long getValue7() {
    return value7;
  }

  @Override
  public void setValue7(long value) {
    value7 = value;
  }

  @Override
  public long getValue8() {
    return value8;
  }

  @Override
  public void setValue8(long value) {
    value8 = value;
  }

  @Override
  public long getValue9() {
    return value9;
  }

  @Override
  public void setValue9(long value) {
    value9 = value;
  }

  @Override
  public long getValue10() {
    return value10;
  }

  @Override
  public void setValue10(long value) {
    value10 = value;
  }

  @Override
  public long getValue11() {
    return value11;
  }

  @Override
  public void setValue11(long value) {
    value11 = value;
  }

  @Override
  public int getQuantity() {
    return quantity;
  }

  @Override
  public void setQuantity(int quantity) {
    this.quantity = quantity;
  }
}
