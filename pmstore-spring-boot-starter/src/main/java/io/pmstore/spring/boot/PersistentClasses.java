package io.pmstore.spring.boot;

import io.pmstore.FormerNames;
import io.pmstore.Persistent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;

/** The persistent classes of an application, and its renamed records and enums. Immutable. */
record PersistentClasses(List<Class<?>> all) {

  /** Looks for them in packages and the packages below. */
  static PersistentClasses in(
      Collection<String> packages, Environment environment, ResourceLoader resources) {
    Scanner scanner = new Scanner(environment);
    scanner.setResourceLoader(resources);
    List<Class<?>> found = new ArrayList<>();
    for (String name : packages) {
      for (var candidate : scanner.findCandidateComponents(name)) {
        Class<?> type =
            ClassUtils.resolveClassName(
                String.valueOf(candidate.getBeanClassName()), resources.getClassLoader());
        if (!found.contains(type)) {
          found.add(type);
        }
      }
    }
    return new PersistentClasses(List.copyOf(found));
  }

  /** Returns the classes that have a root of their own. */
  List<Class<?>> roots() {
    return all.stream().filter(type -> !rootOf(type).isEmpty()).toList();
  }

  /** Returns the classes that say how they were called before, so that the store can find them. */
  List<Class<?>> renamed() {
    return all.stream().filter(type -> type.isAnnotationPresent(FormerNames.class)).toList();
  }

  /** Returns the name of the root of a class; empty if it has none of its own. */
  static String rootOf(Class<?> type) {
    Persistent annotation = type.getDeclaredAnnotation(Persistent.class);
    return annotation == null ? "" : annotation.root();
  }

  /** Finds interfaces and abstract classes too, which Spring takes for no components. */
  private static final class Scanner extends ClassPathScanningCandidateComponentProvider {
    Scanner(Environment environment) {
      super(false, environment);
      addIncludeFilter(new AnnotationTypeFilter(Persistent.class, false));
      addIncludeFilter(new AnnotationTypeFilter(FormerNames.class, false));
    }

    @Override
    protected boolean isCandidateComponent(AnnotatedBeanDefinition definition) {
      return definition.getMetadata().isIndependent();
    }
  }
}
