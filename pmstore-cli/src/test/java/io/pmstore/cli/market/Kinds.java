package io.pmstore.cli.market;

import io.pmstore.Persistent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Values of every kind: primitive, declared as their class, and as objects. */
@Persistent
public class Kinds {
  private boolean flag = true;
  private byte small = -3;
  private short shorter = 300;
  private char letter = 'é';
  private int number = 42;
  private long large = Long.MAX_VALUE;
  private float real = Float.NaN;
  private double precise = Double.NEGATIVE_INFINITY;
  private Long boxed = 5L;
  private Character boxedLetter = '"';
  private Object any = 7L;
  private Object nothing;
  private List<Object> values = new ArrayList<>();
  private Map<String, Object> named = new LinkedHashMap<>();

  public boolean isFlag() {
    return flag;
  }

  public void setFlag(boolean flag) {
    this.flag = flag;
  }

  public byte getSmall() {
    return small;
  }

  public void setSmall(byte small) {
    this.small = small;
  }

  public short getShorter() {
    return shorter;
  }

  public void setShorter(short shorter) {
    this.shorter = shorter;
  }

  public char getLetter() {
    return letter;
  }

  public void setLetter(char letter) {
    this.letter = letter;
  }

  public int getNumber() {
    return number;
  }

  public void setNumber(int number) {
    this.number = number;
  }

  public long getLarge() {
    return large;
  }

  public void setLarge(long large) {
    this.large = large;
  }

  public float getReal() {
    return real;
  }

  public void setReal(float real) {
    this.real = real;
  }

  public double getPrecise() {
    return precise;
  }

  public void setPrecise(double precise) {
    this.precise = precise;
  }

  public Long getBoxed() {
    return boxed;
  }

  public void setBoxed(Long boxed) {
    this.boxed = boxed;
  }

  public Character getBoxedLetter() {
    return boxedLetter;
  }

  public void setBoxedLetter(Character boxedLetter) {
    this.boxedLetter = boxedLetter;
  }

  public Object getAny() {
    return any;
  }

  public void setAny(Object any) {
    this.any = any;
  }

  public Object getNothing() {
    return nothing;
  }

  public void setNothing(Object nothing) {
    this.nothing = nothing;
  }

  public List<Object> getValues() {
    return values;
  }

  public void setValues(List<Object> values) {
    this.values = values;
  }

  public Map<String, Object> getNamed() {
    return named;
  }

  public void setNamed(Map<String, Object> named) {
    this.named = named;
  }
}
