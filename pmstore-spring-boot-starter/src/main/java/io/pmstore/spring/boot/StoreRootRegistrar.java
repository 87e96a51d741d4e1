package io.pmstore.spring.boot;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers a bean for each root: for every class in the application's packages that has
 * {@code @Persistent(root = ...)}. The store creates a root when Spring first injects it. If the
 * application defines a bean of the same type itself, Spring prefers that bean.
 */
final class StoreRootRegistrar implements ImportBeanDefinitionRegistrar {
  private final Environment environment;
  private final BeanFactory beans;
  private final ResourceLoader resources;

  /** Called by Spring. */
  StoreRootRegistrar(Environment environment, BeanFactory beans, ResourceLoader resources) {
    this.environment = environment;
    this.beans = beans;
    this.resources = resources;
  }

  @Override
  public void registerBeanDefinitions(
      AnnotationMetadata importing, BeanDefinitionRegistry registry) {
    PersistentClasses classes = PersistentClasses.in(packages(), environment, resources);
    registry.registerBeanDefinition(
        "pmstorePersistentClasses",
        BeanDefinitionBuilder.genericBeanDefinition(PersistentClasses.class, () -> classes)
            .setRole(BeanDefinition.ROLE_INFRASTRUCTURE)
            .getBeanDefinition());
    for (Class<?> type : classes.roots()) {
      AbstractBeanDefinition root =
          BeanDefinitionBuilder.genericBeanDefinition(StoreRootFactoryBean.class)
              .addConstructorArgValue(type)
              .setAutowireMode(AbstractBeanDefinition.AUTOWIRE_CONSTRUCTOR)
              .setLazyInit(false) // while Spring destroys beans, it makes none
              .getBeanDefinition();
      root.setFallback(true);
      root.setAttribute(FactoryBean.OBJECT_TYPE_ATTRIBUTE, type);
      String name = "pmstoreRoot." + PersistentClasses.rootOf(type);
      if (registry.containsBeanDefinition(name)) {
        throw new IllegalStateException(
            "%s and %s both have the root \"%s\" of the application's store; rename the root of one, or leave its root out and get it with store.root(name, class)"
                .formatted(
                    type,
                    registry
                        .getBeanDefinition(name)
                        .getAttribute(FactoryBean.OBJECT_TYPE_ATTRIBUTE),
                    PersistentClasses.rootOf(type)));
      }
      registry.registerBeanDefinition(name, root);
    }
  }

  private Set<String> packages() {
    Set<String> packages = new LinkedHashSet<>();
    if (AutoConfigurationPackages.has(beans)) {
      packages.addAll(AutoConfigurationPackages.get(beans));
    }
    packages.addAll(
        Binder.get(environment)
            .bind("pmstore.packages", Bindable.listOf(String.class))
            .orElse(List.of()));
    return packages;
  }
}
