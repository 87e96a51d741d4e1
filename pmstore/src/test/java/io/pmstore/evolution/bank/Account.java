package io.pmstore.evolution.bank;

import io.pmstore.FormerNames;
import io.pmstore.Persistent;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** An account: larger than it was, so that its objects move. */
@Persistent
@FormerNames("io.pmstore.evolution.bank.OldAccount")
public class Account {
  private int number;
  private long balance;

  @FormerNames("owner")
  private String holder;

  private int moves;
  private int cardsMade;
  private BigDecimal limit = BigDecimal.ZERO;
  private Card card;
  private List<Integer> history = new ArrayList<>();

  public int getNumber() {
    return number;
  }

  public void setNumber(int number) {
    this.number = number;
  }

  public long getBalance() {
    return balance;
  }

  public void setBalance(long balance) {
    this.balance = balance;
  }

  public String getHolder() {
    return holder;
  }

  public void setHolder(String holder) {
    this.holder = holder;
  }

  public int getMoves() {
    return moves;
  }

  public void setMoves(int moves) {
    this.moves = moves;
  }

  public int getCardsMade() {
    return cardsMade;
  }

  public void setCardsMade(int cardsMade) {
    this.cardsMade = cardsMade;
  }

  public BigDecimal getLimit() {
    return limit;
  }

  public void setLimit(BigDecimal limit) {
    this.limit = limit;
  }

  public Card getCard() {
    return card;
  }

  public void setCard(Card card) {
    this.card = card;
  }

  public List<Integer> getHistory() {
    return history;
  }

  public void setHistory(List<Integer> history) {
    this.history = history;
  }
}
