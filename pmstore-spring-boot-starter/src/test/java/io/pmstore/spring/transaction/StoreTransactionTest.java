package io.pmstore.spring.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pmstore.Durability;
import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.spring.boot.PmStoreAutoConfiguration;
import io.pmstore.spring.boot.PmStoreBeansAutoConfiguration;
import io.pmstore.spring.boot.PmStoreTransactionAutoConfiguration;
import io.reactivex.rxjava3.core.Single;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import kotlin.coroutines.Continuation;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.aop.Advisor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

class StoreTransactionTest {
  @TempDir Path temp;

  /** A root of this test. */
  @Persistent(root = "counter")
  public static class Counter {
    private int first;
    private int second;

    public int getFirst() {
      return first;
    }

    public void setFirst(int first) {
      this.first = first;
    }

    public int getSecond() {
      return second;
    }

    public void setSecond(int second) {
      this.second = second;
    }
  }

  public static class Service {
    private final Counter counter;
    private final PmStoreTemplate template;
    final List<String> mails = new ArrayList<>();
    int runs;

    public Service(Counter counter, PmStoreTemplate template) {
      this.counter = counter;
      this.template = template;
    }

    @StoreTransaction
    public int both(int value) {
      counter.setFirst(value);
      counter.setSecond(value);
      template.afterCommit(() -> mails.add("counted " + value));
      return counter.getFirst();
    }

    @StoreTransaction
    public void fail(int value) throws IOException {
      counter.setFirst(value);
      template.afterCommit(() -> mails.add("never"));
      throw new IOException("no");
    }

    @StoreTransaction
    public void disturbed(ThrowingRunnable disturbance) throws Exception {
      int seen = counter.getFirst();
      if (++runs == 1) {
        disturbance.run();
      }
      template.afterCommit(() -> mails.add("run " + runs));
      counter.setSecond(seen + 1);
    }

    @StoreTransaction(readOnly = true)
    public int sum() {
      return counter.getFirst() + counter.getSecond();
    }

    @StoreTransaction(readOnly = true)
    public void writesThoughReadOnly() {
      counter.setFirst(99);
    }

    @StoreTransaction(durability = "50ms")
    public void relaxed() {
      counter.setFirst(50);
    }

    @StoreTransaction(durability = "soon")
    public void soon() {}

    public int plain() {
      counter.setFirst(1);
      return runs;
    }
  }

  interface ThrowingRunnable {
    void run() throws Exception;
  }

  private ApplicationContextRunner application() {
    return new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                PmStoreAutoConfiguration.class,
                PmStoreBeansAutoConfiguration.class,
                PmStoreTransactionAutoConfiguration.class,
                AopAutoConfiguration.class))
        .withPropertyValues(
            "pmstore.directory=" + temp.resolve("store"),
            "pmstore.packages=io.pmstore.spring.transaction")
        .withBean(Service.class);
  }

  private void run(Work work) {
    application()
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              work.with(
                  context.getBean(Service.class),
                  context.getBean(Counter.class),
                  context.getBean(PmStoreTemplate.class));
            });
  }

  private interface Work {
    void with(Service service, Counter counter, PmStoreTemplate template) throws Exception;
  }

  /** The proxy's own fields are not the bean's. */
  private static Service target(Service service) throws Exception {
    return (Service)
        ((org.springframework.aop.framework.Advised) service).getTargetSource().getTarget();
  }

  @Test
  void methodIsOneTransaction() {
    run(
        (service, counter, template) -> {
          assertThat(service.both(7)).isEqualTo(7);
          assertThat(counter.getSecond()).isEqualTo(7);
          assertThat(target(service).mails).containsExactly("counted 7");
          assertThatThrownBy(() -> service.fail(8)).isInstanceOf(IOException.class);
          assertThat(counter.getFirst()).isEqualTo(7);
          assertThat(target(service).mails).containsExactly("counted 7");
        });
  }

  @Test
  void conflictRunsTheMethodAgainAndTheActionOnce() {
    run(
        (service, counter, template) -> {
          service.disturbed(
              () -> {
                try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
                  pool.submit(() -> counter.setFirst(10)).get();
                }
              });
          assertThat(target(service).runs).isEqualTo(2);
          assertThat(counter.getSecond()).isEqualTo(11);
          assertThat(target(service).mails).containsExactly("run 2");
        });
  }

  @Test
  void innerMethodJoinsAndItsActionWaitsForTheOuterCommit() {
    run(
        (service, counter, template) -> {
          assertThatThrownBy(
                  () ->
                      template.execute(
                          () -> {
                            service.both(3);
                            throw new IllegalArgumentException("outer");
                          }))
              .hasMessage("outer");
          assertThat(counter.getFirst()).isZero();
          assertThat(target(service).mails).isEmpty();
          template.execute(
              () -> {
                service.both(4);
                assertThat(target(service).mails).isEmpty();
                assertThat(service.sum()).isEqualTo(8); // sees what the outer one wrote
              });
          assertThat(target(service).mails).containsExactly("counted 4");
        });
  }

  @Test
  void actionOfATransactionThatTheTemplateDidNotBeginIsRefused() {
    run(
        (service, counter, template) -> {
          assertThatThrownBy(() -> template.afterCommit(() -> {}))
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("PmStoreTemplate.execute");
          assertThatThrownBy(() -> template.store().transaction(() -> service.both(1)))
              .isInstanceOf(IllegalStateException.class);
          assertThat(counter.getFirst()).isZero();
        });
  }

  @Test
  void actionsRunAllThoughOneThrowsAndMayBeginTransactions() {
    run(
        (service, counter, template) -> {
          List<String> done = new ArrayList<>();
          assertThatThrownBy(
                  () ->
                      template.execute(
                          () -> {
                            counter.setFirst(5);
                            template.afterCommit(
                                () -> {
                                  throw new IllegalStateException("first");
                                });
                            template.afterCommit(
                                () ->
                                    template.execute(
                                        () -> {
                                          counter.setSecond(6);
                                          template.afterCommit(() -> done.add("inner"));
                                        }));
                            template.afterCommit(
                                () -> {
                                  throw new AssertionError("second");
                                });
                            template.afterCommit(() -> done.add("last"));
                          }))
              .hasMessage("first")
              .hasSuppressedException(new AssertionError("second"));
          assertThat(done).containsExactly("inner", "last");
          assertThat(counter.getFirst()).isEqualTo(5);
          assertThat(counter.getSecond()).isEqualTo(6);
        });
  }

  @Test
  void readOnlyMethodSeesOneStateAndWritesNothing() {
    run(
        (service, counter, template) -> {
          service.both(2);
          assertThat(service.sum()).isEqualTo(4);
          assertThatThrownBy(service::writesThoughReadOnly)
              .isInstanceOf(IllegalStateException.class);
          assertThat(counter.getFirst()).isEqualTo(2);
        });
  }

  @Test
  void durabilityIsThatOfTheAnnotation() {
    assertThat(DurabilityText.parse(" SYNC ")).isEqualTo(Durability.SYNC);
    assertThat(DurabilityText.parse("50ms")).isEqualTo(Durability.relaxed(Duration.ofMillis(50)));
    run(
        (service, counter, template) -> {
          service.relaxed();
          assertThat(counter.getFirst()).isEqualTo(50);
          assertThatThrownBy(service::soon).hasMessageContaining("\"soon\"");
        });
  }

  public static class Wrong {
    @StoreTransaction
    private void hidden() {}

    public void use() {
      hidden();
    }
  }

  public static class Last {
    @StoreTransaction
    public final void sealed() {}
  }

  public static class Later {
    @StoreTransaction
    public Future<String> later() {
      return CompletableFuture.completedFuture("x");
    }
  }

  public static class InStages {
    @StoreTransaction
    public CompletionStage<String> later() {
      return CompletableFuture.completedStage("x");
    }
  }

  public static class OfRxJava {
    @StoreTransaction
    public Single<String> later() {
      return Single.just("x");
    }
  }

  public static class OnAnotherThreadOfTheServer {
    @StoreTransaction
    public DeferredResult<String> later() {
      return new DeferredResult<>();
    }
  }

  public static class AsATaskOfTheServer {
    @StoreTransaction
    public WebAsyncTask<String> later() {
      return new WebAsyncTask<>(() -> "x");
    }
  }

  public static class WrittenLater {
    @StoreTransaction
    public StreamingResponseBody later() {
      return out -> out.write(1);
    }
  }

  @StoreTransaction
  public static class Streaming {
    public Stream<String> stream() {
      return Stream.of("x");
    }
  }

  /** Spring finds that the first method can run as a transaction, and looks no further. */
  public static class OneOfTwo {
    @StoreTransaction
    public void right() {}

    @StoreTransaction
    public final void wrong() {}
  }

  public static class OneOfTwoIsHidden {
    @StoreTransaction
    public void right() {
      hidden();
    }

    @StoreTransaction
    private void hidden() {}
  }

  public static class AtTheStart {
    @PostConstruct
    @StoreTransaction
    public void fill() {}
  }

  @StoreTransaction
  public static class AtTheEnd {
    @PreDestroy
    public void empty() {}
  }

  public static class OnAnotherThread {
    @StoreTransaction
    public Callable<String> call() {
      return () -> "x";
    }
  }

  /** As Kotlin compiles {@code suspend fun later(): String}. */
  public static class Suspending {
    @StoreTransaction
    public Object later(Continuation<? super String> continuation) {
      return "x";
    }
  }

  /** A persistent class that misuses the annotation. */
  @Persistent
  public static class Marked {
    private int value;

    @StoreTransaction
    public void set(int value) {
      this.value = value;
    }

    public int get() {
      return value;
    }
  }

  @Test
  void methodsThatWouldNotRunInATransactionAreRefused() {
    for (Class<?> wrong :
        List.of(
            Wrong.class,
            Last.class,
            Later.class,
            InStages.class,
            OfRxJava.class,
            OnAnotherThreadOfTheServer.class,
            AsATaskOfTheServer.class,
            WrittenLater.class,
            Streaming.class,
            OneOfTwo.class,
            OneOfTwoIsHidden.class,
            AtTheStart.class,
            AtTheEnd.class,
            OnAnotherThread.class,
            Suspending.class,
            Marked.class)) {
      application()
          .withBean(wrong)
          .run(
              context ->
                  assertThat(context.getStartupFailure())
                      .as(wrong.getSimpleName())
                      .hasRootCauseInstanceOf(IllegalStateException.class)
                      .hasStackTraceContaining("@StoreTransaction has no effect on "));
    }
  }

  @StoreTransaction
  public static class Whole {
    final PmStore store;

    public Whole(PmStore store) {
      this.store = store;
    }

    public boolean inTransaction() {
      return store.inTransaction();
    }

    boolean notPublic() {
      return store.inTransaction();
    }
  }

  @Test
  void annotationOnAClassHoldsForItsPublicMethods() {
    application()
        .withBean(Whole.class)
        .run(
            context -> {
              assertThat(context.getBean(Whole.class).inTransaction()).isTrue();
              assertThat(context.getBean(PmStore.class).inTransaction()).isFalse();
            });
  }

  @Test
  void transactionsNeedNoAspects() {
    application()
        .withPropertyValues("spring.aop.auto=false")
        .withBean(Whole.class)
        .run(context -> assertThat(context.getBean(Whole.class).inTransaction()).isTrue());
  }

  private static ApplicationContextRunner withoutAspects() {
    return new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                PmStoreAutoConfiguration.class,
                PmStoreBeansAutoConfiguration.class,
                PmStoreTransactionAutoConfiguration.class));
  }

  public static class OfNoPrimaryStore {
    @StoreTransaction
    public void change() {}
  }

  @Test
  void ofSeveralStoresOneHasToBePrimary() {
    ApplicationContextRunner several =
        withoutAspects()
            .withBean("one", PmStore.class, () -> PmStore.open(temp.resolve("one")))
            .withBean(OfNoPrimaryStore.class);
    several
        .withBean("two", PmStore.class, () -> PmStore.open(temp.resolve("two")))
        .run(
            context ->
                assertThatThrownBy(context.getBean(OfNoPrimaryStore.class)::change)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("put @Primary on one bean of type PmStore"));
    several
        .withBean(
            "two",
            PmStore.class,
            () -> PmStore.open(temp.resolve("two")),
            bean -> bean.setPrimary(true))
        .withBean(Whole.class)
        .run(context -> assertThat(context.getBean(Whole.class).inTransaction()).isTrue());
  }

  /** Asks for the root in its transactions, so that the first one creates it. */
  public static class Late {
    private final ObjectProvider<Counter> counter;

    public Late(ObjectProvider<Counter> counter) {
      this.counter = counter;
    }

    @StoreTransaction
    public void count(boolean fails) {
      counter.getObject().setFirst(1);
      if (fails) {
        throw new IllegalArgumentException("rolled back");
      }
    }
  }

  @Test
  void rootOfARolledBackTransactionIsCreatedAgain() {
    withoutAspects()
        .withPropertyValues(
            "pmstore.directory=" + temp.resolve("store"),
            "pmstore.packages=io.pmstore.spring.transaction")
        .withBean(Late.class)
        .run(
            context -> {
              Late late = context.getBean(Late.class);
              assertThatThrownBy(() -> late.count(true)).hasMessage("rolled back");
              late.count(false);
              Counter counter = context.getBean(Counter.class);
              assertThat(counter.getFirst()).isEqualTo(1);
              assertThat(context.getBean(Counter.class)).isSameAs(counter);
            });
  }

  /** A class whose subclasses have the annotation, each with other attributes. */
  public abstract static class Inherited {
    private final Counter counter;

    Inherited(Counter counter) {
      this.counter = counter;
    }

    public void count() {
      counter.setFirst(counter.getFirst() + 1);
    }
  }

  @StoreTransaction
  public static class Writing extends Inherited {
    public Writing(Counter counter) {
      super(counter);
    }
  }

  @StoreTransaction(readOnly = true)
  public static class Reading extends Inherited {
    public Reading(Counter counter) {
      super(counter);
    }
  }

  @Test
  void inheritedMethodRunsAsEachClassAsks() {
    application()
        .withBean(Writing.class)
        .withBean(Reading.class)
        .run(
            context -> {
              context.getBean(Writing.class).count();
              Reading reading = context.getBean(Reading.class);
              assertThatThrownBy(reading::count).isInstanceOf(IllegalStateException.class);
              context.getBean(Writing.class).count();
              assertThat(context.getBean(Counter.class).getFirst()).isEqualTo(2);
            });
  }

  /** A proxy around a persistent object would be no object of the store. */
  @Test
  void anAspectThatMatchesARootIsRefused() {
    application()
        .withBean(
            "aspect",
            Advisor.class,
            () -> new DefaultPointcutAdvisor(new AspectOnCounters(), new NoAdvice()),
            bean -> ((AbstractBeanDefinition) bean).setRole(BeanDefinition.ROLE_INFRASTRUCTURE))
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasStackTraceContaining("Counter$Persistent")
                    .hasStackTraceContaining("final class"));
  }

  static final class AspectOnCounters extends StaticMethodMatcherPointcut {
    @Override
    public boolean matches(Method method, Class<?> type) {
      return Counter.class.isAssignableFrom(type);
    }
  }

  static final class NoAdvice implements MethodInterceptor {
    @Override
    public Object invoke(MethodInvocation invocation) throws Throwable {
      return invocation.proceed();
    }
  }
}
