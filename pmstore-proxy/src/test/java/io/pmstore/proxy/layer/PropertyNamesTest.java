package io.pmstore.proxy.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pmstore.Persistent;
import io.pmstore.proxy.bean.BeanDiscovery;
import io.pmstore.proxy.bean.BeanProperty;
import io.pmstore.proxy.fixture.StoreTest;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A property keeps its value under every form of name that JavaBeans and the language allow. */
@SuppressWarnings("UnicodeInCode") // names that the language allows
class PropertyNamesTest extends StoreTest {
  /** Sets all that it has, and says what it has. */
  interface Named {
    void fill(String text);

    String show();
  }

  /** Where the objects are kept. */
  @Persistent(root = "keeper")
  static class Keeper {
    private @Nullable Named kept;

    @Nullable Named getKept() {
      return kept;
    }

    void setKept(Named kept) {
      this.kept = kept;
    }
  }

  private void assertKept(Named plain, String... names) {
    plain.fill("A");
    String shown = plain.show();
    store().root(Keeper.class).setKept(plain);
    reopen();
    Named kept = Objects.requireNonNull(store().root(Keeper.class).getKept());
    assertEquals(shown, kept.show());
    plain.fill("B");
    kept.fill("B");
    assertEquals(plain.show(), kept.show());
    reopen();
    assertEquals(plain.show(), Objects.requireNonNull(store().root(Keeper.class).getKept()).show());
    assertEquals(new TreeSet<>(Set.of(names)), propertyNames(plain.getClass()));
  }

  private static Set<String> propertyNames(Class<?> type) {
    return new TreeSet<>(
        BeanDiscovery.discover(type).properties().stream().map(BeanProperty::name).toList());
  }

  /** Names with accessors. */
  @Persistent
  static class WithAccessors implements Named {
    private String url = "";
    private String aName = "";
    private String x = "";
    private String _id = "";
    private String $y = "";
    private String oAuthId = "";
    private String OAuthKey = "";
    private String Upper = "";
    private String über = "";
    private String Ünder = "";
    private String 名前 = "";
    private String ßeta = "";
    private boolean flag;
    private @Nullable Boolean maybe;
    private boolean isReady;

    public String getURL() {
      return url;
    }

    public void setURL(String url) {
      this.url = url;
    }

    public String getaName() {
      return aName;
    }

    public void setaName(String aName) {
      this.aName = aName;
    }

    public String getX() {
      return x;
    }

    public void setX(String x) {
      this.x = x;
    }

    public String get_id() {
      return _id;
    }

    public void set_id(String id) {
      this._id = id;
    }

    public String get$y() {
      return $y;
    }

    public void set$y(String y) {
      this.$y = y;
    }

    public String getoAuthId() {
      return oAuthId;
    }

    public void setoAuthId(String oAuthId) {
      this.oAuthId = oAuthId;
    }

    public String getOAuthKey() {
      return OAuthKey;
    }

    public void setOAuthKey(String key) {
      this.OAuthKey = key;
    }

    public String getUpper() {
      return Upper;
    }

    public void setUpper(String upper) {
      this.Upper = upper;
    }

    public String getÜber() {
      return über;
    }

    public void setÜber(String über) {
      this.über = über;
    }

    public String getÜnder() {
      return Ünder;
    }

    public void setÜnder(String ünder) {
      this.Ünder = ünder;
    }

    public String get名前() {
      return 名前;
    }

    public void set名前(String 名前) {
      this.名前 = 名前;
    }

    public String getßeta() {
      return ßeta;
    }

    public void setßeta(String ßeta) {
      this.ßeta = ßeta;
    }

    public boolean isFlag() {
      return flag;
    }

    public void setFlag(boolean flag) {
      this.flag = flag;
    }

    public @Nullable Boolean isMaybe() {
      return maybe;
    }

    public void setMaybe(@Nullable Boolean maybe) {
      this.maybe = maybe;
    }

    public boolean isReady() {
      return isReady;
    }

    public void setReady(boolean ready) {
      isReady = ready;
    }

    @Override
    public void fill(String text) {
      setURL(text + 1);
      setaName(text + 2);
      setX(text + 3);
      set_id(text + 4);
      set$y(text + 5);
      setoAuthId(text + 6);
      setOAuthKey(text + 7);
      setUpper(text + 8);
      setÜber(text + 9);
      setÜnder(text + 10);
      set名前(text + 11);
      setßeta(text + 12);
      setFlag(text.equals("A"));
      setMaybe(text.equals("A"));
      setReady(text.equals("A"));
    }

    @Override
    public String show() {
      return String.join(" ", getURL(), getaName(), getX(), get_id(), get$y(), getoAuthId())
          + String.join(" ", getOAuthKey(), getUpper(), getÜber(), getÜnder(), get名前(), getßeta())
          + ("" + isFlag() + isMaybe() + isReady());
    }
  }

  @Test
  void accessorsNameTheirPropertiesAsJavaBeansDoes() {
    assertKept(
        new WithAccessors(),
        "URL",
        "aName",
        "x",
        "_id",
        "$y",
        "oAuthId",
        "OAuthKey",
        "upper",
        "über",
        "ünder",
        "名前",
        "ßeta",
        "flag",
        "maybe",
        "ready");
  }

  /** Names without accessors, and accessors that are named like none. */
  @Persistent
  static class WithoutAccessors implements Named {
    private String URL = "";
    private String Name = "";
    private String _id = "";
    private String $x = "";
    private String get = "";
    private String is = "";
    private String set = "";
    private String class_ = "";
    private boolean isOpen;

    public String get() {
      return get;
    }

    public boolean is() {
      return !is.isEmpty();
    }

    public void set(String set) {
      this.set = set;
    }

    public void setClass(String name) {
      class_ = name;
    }

    @Override
    public void fill(String text) {
      URL = text + 1;
      Name = text + 2;
      _id = text + 3;
      $x = text + 4;
      get = text + 5;
      is = text + 6;
      set(text + 7);
      setClass(text + 8);
      isOpen = !isOpen;
    }

    @Override
    public String show() {
      return String.join(" ", URL, Name, _id, $x, get(), is + is(), set, class_ + isOpen);
    }
  }

  @Test
  void fieldsWithoutAccessorsKeepTheirNames() {
    assertKept(
        new WithoutAccessors(), "URL", "Name", "_id", "$x", "get", "is", "set", "class", "isOpen");
  }

  /** Accessors of two fields that JavaBeans gives one name, and static ones. */
  @Persistent
  static class Alike implements Named {
    private static String total = "";
    private String x = "";
    private String X = "";
    private int Total;

    public static String getTotal() {
      return total;
    }

    public static void setTotal(String total) {
      Alike.total = total;
    }

    public String getx() {
      return x;
    }

    public void setx(String x) {
      this.x = x;
    }

    public String getX() {
      return X;
    }

    public void setX(String x) {
      X = x;
    }

    @Override
    public void fill(String text) {
      setx(text + 1);
      setX(text + 2);
      Total++;
    }

    @Override
    public String show() {
      return getx() + getX() + Total;
    }
  }

  @Test
  void twoFieldsOfOneNameAreToldApart() {
    String name = Alike.class.getName();
    assertKept(new Alike(), name + ".x", name + ".X", "Total");
    String base = Base.class.getName();
    String derived = Derived.class.getName();
    assertKept(new Derived(), base + ".id", derived + ".id", "note");
    assertKept(new Base(), "id");
  }

  /** Has a field that a subclass has, too. */
  @Persistent
  static class Base implements Named {
    private String id = "";

    public String getId() {
      return id;
    }

    public void setId(String id) {
      this.id = id;
    }

    @Override
    public void fill(String text) {
      setId(text);
    }

    @Override
    public String show() {
      return id;
    }
  }

  /** Hides a field; its accessors override those of the other one. */
  @Persistent
  static class Derived extends Base {
    private String id = "";
    private @Nullable String note;

    @Override
    public String getId() {
      return id;
    }

    @Override
    public void setId(String id) {
      this.id = id;
    }

    public void setNote(String note) { // has no getter
      this.note = note;
    }

    @Override
    public void fill(String text) {
      setId("derived " + text);
      super.setId("base " + text);
      setNote("noted " + text);
    }

    @Override
    public String show() {
      return id + super.show() + super.getId() + note;
    }
  }
}
