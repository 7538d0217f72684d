"""Policy tables: the turns of every grill, computed once, kept on disk, looked up."""
