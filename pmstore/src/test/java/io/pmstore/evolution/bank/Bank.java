package io.pmstore.evolution.bank;

import io.pmstore.FormerNames;
import io.pmstore.Persistent;
import java.util.ArrayList;
import java.util.List;

/** All accounts. */
@Persistent
@FormerNames("io.pmstore.evolution.bank.OldBank")
public class Bank {
  private List<Account> accounts = new ArrayList<>();

  public List<Account> getAccounts() {
    return accounts;
  }

  public void setAccounts(List<Account> accounts) {
    this.accounts = accounts;
  }
}
