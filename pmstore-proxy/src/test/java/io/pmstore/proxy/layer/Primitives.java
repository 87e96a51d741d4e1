package io.pmstore.proxy.layer;

import io.pmstore.Persistent;

/** A property of each primitive type, in fields. */
@Persistent
class Primitives {
  private boolean flag;
  private byte tiny;
  private short small;
  private char letter;
  private int number;
  private long big;
  private float fraction;
  private double real;

  boolean isFlag() {
    return flag;
  }

  void setFlag(boolean flag) {
    this.flag = flag;
  }

  byte getTiny() {
    return tiny;
  }

  void setTiny(byte tiny) {
    this.tiny = tiny;
  }

  short getSmall() {
    return small;
  }

  void setSmall(short small) {
    this.small = small;
  }

  char getLetter() {
    return letter;
  }

  void setLetter(char letter) {
    this.letter = letter;
  }

  protected int getNumber() {
    return number;
  }

  protected void setNumber(int number) {
    this.number = number;
  }

  public long getBig() {
    return big;
  }

  public void setBig(long big) {
    this.big = big;
  }

  public float getFraction() {
    return fraction;
  }

  public void setFraction(float fraction) {
    this.fraction = fraction;
  }

  public double getReal() {
    return real;
  }

  public void setReal(double real) {
    this.real = real;
  }
}
