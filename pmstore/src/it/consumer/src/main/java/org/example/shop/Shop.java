package org.example.shop;

import io.pmstore.Persistent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The root: all articles, and those on display in their order. */
@Persistent(root = "shop")
public class Shop {
  private Map<String, Article> articles = new HashMap<>();
  private List<Article> display = new ArrayList<>();

  public Map<String, Article> getArticles() {
    return articles;
  }

  public void setArticles(Map<String, Article> articles) {
    this.articles = articles;
  }

  public List<Article> getDisplay() {
    return display;
  }

  public void setDisplay(List<Article> display) {
    this.display = display;
  }
}
