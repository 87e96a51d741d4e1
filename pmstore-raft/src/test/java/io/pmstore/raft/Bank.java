package io.pmstore.raft;

import io.pmstore.Persistent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Accounts with money, and a map: what the tests keep in a replicated store. */
@Persistent(root = "bank")
public class Bank {
  private List<Account> accounts = new ArrayList<>();
  private Map<String, String> notes = new HashMap<>();

  public List<Account> getAccounts() {
    return accounts;
  }

  public void setAccounts(List<Account> accounts) {
    this.accounts = accounts;
  }

  public Map<String, String> getNotes() {
    return notes;
  }

  public void setNotes(Map<String, String> notes) {
    this.notes = notes;
  }

  /** An account. */
  @Persistent
  public static class Account {
    private int number;
    private long balance;

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
  }
}
