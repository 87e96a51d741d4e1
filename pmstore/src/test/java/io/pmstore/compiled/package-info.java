/** Classes that tests write and compile while they run. */
package io.pmstore.compiled;
