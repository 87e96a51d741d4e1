package io.pmstore.jmh.report;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;

/** Writes plots as pictures, with two pixels for each one shown, so that they print well. */
final class PlotFiles {
  private static final int SCALE = 2;

  private PlotFiles() {}

  static void write(List<Section> sections, Path directory) throws IOException {
    Files.createDirectories(directory.resolve("plots"));
    for (Section section : sections) {
      for (Block block : section.blocks()) {
        if (block instanceof Block.Plot plot) {
          ImageIO.write(draw(plot.drawing()), "png", directory.resolve(plot.file()).toFile());
        }
      }
    }
  }

  private static BufferedImage draw(Drawing drawing) {
    BufferedImage picture =
        new BufferedImage(
            SCALE * drawing.width(), SCALE * drawing.height(), BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = picture.createGraphics();
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, picture.getWidth(), picture.getHeight());
    graphics.scale(SCALE, SCALE);
    drawing.paint(graphics);
    graphics.dispose();
    return picture;
  }
}
