package io.pmstore.jmh.report;

import java.awt.Graphics2D;
import org.knowm.xchart.internal.chartpart.Chart;

/** Something that can be painted. */
public interface Drawing {
  /** In pixels, as shown. */
  int width();

  /** In pixels, as shown. */
  int height();

  /** Paints it at the origin, on white. */
  void paint(Graphics2D graphics);

  static Drawing of(Chart<?, ?> chart) {
    return new Drawing() {
      @Override
      public int width() {
        return chart.getWidth();
      }

      @Override
      public int height() {
        return chart.getHeight();
      }

      @Override
      public void paint(Graphics2D graphics) {
        chart.paint(graphics, width(), height());
      }
    };
  }
}
