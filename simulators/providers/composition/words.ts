/** The words of generated content. */
export const words =
  'the river keeps its old course while morning light falls over quiet fields and a small boat drifts past stone bridges where people wait for news from distant towns under tall trees that turn slowly in warm wind'.split(
    ' ',
  );
