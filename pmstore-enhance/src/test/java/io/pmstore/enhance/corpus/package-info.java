/** Classes of published jars, enhanced, beside the same classes as they are. */
package io.pmstore.enhance.corpus;
